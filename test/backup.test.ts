import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { startEmbeddedPostgres } from '#embedded/postgres.ts'

const log = { info: () => {}, warn: () => {}, error: () => {} }

function run(name: 'backup' | 'restore', args: string[], env: NodeJS.ProcessEnv) {
	return spawnSync(process.execPath, [join('scripts', `${name}.ts`), ...args], {
		env: { PATH: process.env.PATH, ...env },
		encoding: 'utf8',
	})
}

test('backup and restore copy the files at STORAGE_URL, and do not touch the database at DATABASE_URL', async (t) => {
	const folder = mkdtempSync(join(tmpdir(), 'backup-'))
	chmodSync(folder, 0o755)
	const place = (name: string) => join(folder, name)
	const [dataDir, backup, files, other] = [place('data'), place('backup'), place('files'), place('other')]
	mkdirSync(join(files, '1', 'headers'), { recursive: true })
	writeFileSync(join(files, '1', 'headers', 'offer.txt'), 'half price')
	const server = await startEmbeddedPostgres({ dataDir, log, settings: { shared_buffers: '16MB' } })
	t.after(async () => {
		await server.stop()
		rmSync(folder, { recursive: true, force: true })
	})
	const copied = run('backup', [backup], { DATA_DIR: dataDir, STORAGE_URL: files })
	assert.equal(copied.status, 0, copied.stderr)

	const env = { DATA_DIR: place('elsewhere'), STORAGE_URL: other }
	const refused = run('restore', [backup], { ...env, DATABASE_URL: server.url })
	assert.deepEqual([refused.status, refused.stdout], [1, ''])
	const restored = run('restore', [backup], env)
	assert.equal(restored.status, 0, restored.stderr)
	assert.equal(readFileSync(join(other, '1', 'headers', 'offer.txt'), 'utf8'), 'half price')
})
