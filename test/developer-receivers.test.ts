import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, before, test } from 'node:test'
import { RECEIVERS } from '#features/developer/receiver-texts.ts'
import { newSecret, signedHeaders } from '#features/developer/server/webhooks/secrets.ts'
import type { AccountId } from '#lib/server/db.ts'
import { createVault } from '#lib/server/secrets.ts'
import { findFreePort } from './free-port.ts'
import { until } from './until.ts'

/** Command that runs the receiver of each language at a port. A machine may lack some of the programs. */
const PROGRAMS: Record<string, (file: string, port: number) => string[]> = {
	'Node.js': (file) => [process.execPath, file],
	Python: (file) => ['python3', file],
	PHP: (file, port) => ['php', '-S', `127.0.0.1:${port}`, file],
}

const vault = createVault(Buffer.alloc(32, 1))
const accountId = 7 as AccountId
const body = Buffer.from(
	JSON.stringify({ events: [{ id: '1', type: 'test', at: '2026-11-23T10:00:00.000Z', data: {} }] }),
)

let folder: string
before(async () => {
	folder = await mkdtemp(join(tmpdir(), 'receivers-'))
	await symlink(resolve('node_modules'), join(folder, 'node_modules'))
})
after(() => rm(folder, { recursive: true, force: true }))

for (const { label, text } of RECEIVERS)
	test(`the receiver in ${label} accepts deliveries signed with either secret of a rotation, and refuses others`, async (t) => {
		const port = await findFreePort()
		const file = join(folder, `${label}.mjs`)
		const [program = '', ...args] = PROGRAMS[label]?.(file, port) ?? []
		if (spawnSync(program, ['--version']).error) return t.skip(`${program} is not installed`)
		const first = newSecret(vault, accountId)
		const second = newSecret(vault, accountId, first.encrypted)
		await writeFile(file, text.replace('YOUR_SECRET', first.secret).replace('3000', String(port)))
		const child = spawn(program, args, { stdio: 'ignore' })
		t.after(() => child.kill())
		const post = (headers: Record<string, string>) =>
			fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body }).then(
				({ status }) => status,
				() => 0,
			)
		const signed = (encrypted: Buffer) => signedHeaders(vault, accountId, { encrypted, id: 'dlv_1', body }) ?? {}
		await until(async () => (await post(signed(first.encrypted))) !== 0)
		assert.equal(await post(signed(first.encrypted)), 204)
		assert.equal(await post(signed(second.encrypted)), 204)
		assert.equal(await post(signed(newSecret(vault, accountId).encrypted)), 401)
		assert.equal(await post({ ...signed(first.encrypted), 'webhook-id': 'dlv_2' }), 401)
	})
