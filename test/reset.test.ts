import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { startEmbeddedPostgres } from '#embedded/postgres.ts'

const RESET = fileURLToPath(new URL('../scripts/reset.ts', import.meta.url))
const log = { info: () => {}, warn: () => {}, error: () => {} }

async function folderOf(t: TestContext, files: Record<string, string>): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), 'test-reset-'))
	await chmod(folder, 0o755)
	t.after(() => rm(folder, { recursive: true, force: true }))
	for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
	return folder
}

async function reset(dataDir: string): Promise<{ code: number | null; output: string }> {
	const child = spawn(process.execPath, [RESET], { env: { PATH: process.env.PATH, DATA_DIR: dataDir } })
	let output = ''
	for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text.toString()))
	const [code] = (await once(child, 'close')) as [number | null]
	return { code, output }
}

test('reset removes the demo’s files from DATA_DIR, and no other file', async (t) => {
	const folder = await folderOf(t, { installation: 'demo\n', 'secret-key': 'k', 'holiday.jpg': 'mine' })
	assert.equal((await reset(folder)).code, 0)
	assert.deepEqual(await readdir(folder), ['holiday.jpg'])
})

const OTHERS: Record<string, Record<string, string>> = {
	'that nobody has marked': { 'secret-key': 'k' },
	'of a production installation': { installation: 'production\n', 'secret-key': 'k' },
}
for (const [what, files] of Object.entries(OTHERS)) {
	test(`reset exits with 1 and removes nothing from a folder ${what}`, async (t) => {
		const folder = await folderOf(t, files)
		const { code, output } = await reset(folder)
		assert.match(output, /There is no demo in/)
		assert.equal(code, 1)
		assert.deepEqual((await readdir(folder)).toSorted(), Object.keys(files).toSorted())
	})
}

test('reset refuses while a server uses the database, and removes the database afterwards', async (t) => {
	const folder = await folderOf(t, { installation: 'demo\n' })
	const server = await startEmbeddedPostgres({ dataDir: folder, log, settings: { shared_buffers: '16MB' } })
	t.after(() => server.stop())
	const refused = await reset(folder)
	assert.match(refused.output, /is using .*Stop it first/)
	assert.equal(refused.code, 1)
	assert.deepEqual((await readdir(folder)).toSorted(), ['installation', 'postgres'])
	await server.stop()
	assert.equal((await reset(folder)).code, 0)
	assert.deepEqual(await readdir(folder), [])
})
