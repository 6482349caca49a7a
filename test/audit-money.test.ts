import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { composeHooks } from '#app/server/compose.ts'
import { readEnv } from '#app/server/env.ts'
import { launchTestDatabase } from './database.ts'
import { account } from './factories.ts'

const database = await launchTestDatabase()
const settings = readEnv({ SECRET_KEY: Buffer.alloc(32, 7).toString('base64') })
const person = await account({ db: database.sql, env: settings, ...composeHooks(settings) }, { balancePaise: 12_345 })

function runAuditMoney(env: Record<string, string>) {
	const script = fileURLToPath(new URL('../scripts/audit-money.ts', import.meta.url))
	const { stdout, stderr, status } = spawnSync(process.execPath, [script], {
		env: { PATH: process.env.PATH, ...env },
		encoding: 'utf8',
	})
	return { stdout, stderr, status }
}

test('audit:money prints OK with the numbers of examined records and exits with 0 when the database is sound', () => {
	const { stdout, status } = runAuditMoney({ DATABASE_URL: database.url })
	assert.match(stdout, /^OK: 1 accounts, 1 ledger entries, 0 campaigns/)
	assert.equal(status, 0)
})

test('audit:money prints the account and the rule and exits with 1 when a wallet has a paisa that no entry explains', async () => {
	await database.sql`update wallets set held_paise = held_paise + 1 where account_id = ${person.accountId}`
	const { stdout, status } = runAuditMoney({ DATABASE_URL: database.url })
	assert.match(
		stdout,
		new RegExp(
			`^Account ${person.accountId}\n {2}the wallet has what its last entry says: .*12345 and 1, entry 12345 and 0`,
		),
	)
	assert.equal(status, 1)
})

test('audit:money names DATABASE_URL and exits with 2 when there is no database', () => {
	const { stderr, status } = runAuditMoney({ DATA_DIR: '/nowhere/at/all' })
	assert.match(stderr, /There is no database under .* Set DATA_DIR or DATABASE_URL/)
	assert.equal(status, 2)
})
