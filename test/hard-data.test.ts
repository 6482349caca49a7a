import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createHardData } from '../scripts/demo/hard/data.ts'
import { moneyFindings, startProduct } from './full-stack.ts'

test('createHardData fills an account whose money adds up to exactly ₹12,34,56,789.50', async () => {
	const dataDir = await mkdtemp(join(tmpdir(), 'test-hard-data-'))
	after(() => rm(dataDir, { recursive: true, force: true }))
	const product = await startProduct({ env: { DATA_DIR: dataDir } })
	after(() => product.close())
	const { userId, campaignId, chat } = await createHardData(product.process.context, product.simulator)
	const [user] = await product.db<
		{ accountId: number }[]
	>`select account_id as "accountId" from users where id = ${userId}`
	assert.ok(user)
	const [made] = await product.db<{ paise: number; contacts: number; failed: number; messages: number }[]>`
		select w.available_paise as paise,
			(select count(*) from contacts c where c.account_id = ${user.accountId}) as contacts,
			(select failed_count from campaigns c where c.account_id = ${user.accountId} and c.id = ${campaignId}) as failed,
			(select count(*) from chat_messages m where m.account_id = ${user.accountId} and m.chat = ${chat}) as messages
		from wallets w
		where w.account_id = ${user.accountId}
	`
	assert.equal(made?.paise, 12_345_678_950)
	assert.equal(made.contacts, 1206)
	assert.ok(made.failed > 0)
	assert.equal(made.messages, 12)
	assert.deepEqual(await moneyFindings(product.db), [])
})
