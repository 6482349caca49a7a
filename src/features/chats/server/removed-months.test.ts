import assert from 'node:assert/strict'
import { test } from 'node:test'
import { copyOutcomes } from '#app/server/housekeeping/retention.ts'
import { chats } from '#features/chats/contract.ts'
import { removeOldMonths } from '#features/delivery/server/months/months.ts'
import { getWallet } from '#features/wallet/server/ledger.ts'
import { launchProduct, moneyFindings, sendingAccount } from '#test/full-stack.ts'
import { call } from '#test/http-app.ts'
import { until } from '#test/until.ts'

const SENT = '919800000031'
const FAILED = '919800000032'

const product = await launchProduct({ statuses: { readRate: 1 } })

test('a template in a chat keeps its status, its failure and its quotes when its campaign’s month is removed', async () => {
	const { db, process, simulator } = product
	const { token, accountId, templateId, credentials } = await sendingAccount(product, {
		contacts: 0,
		balancePaise: 1000,
	})
	const messagesWith = async (number: string) =>
		(await call(process.url, chats.messages, { params: { number }, token })).body.messages
	await simulator.control.addFault({ call: 'messages', to: FAILED, kind: 'error', code: 131026 })
	for (const number of [SENT, FAILED]) {
		const body = { number, templateId, variables: { var1: 'Asha' } }
		assert.equal((await call(process.url, chats.sendTemplate, { body, token })).status, 200)
	}
	await until(async () => (await messagesWith(SENT))[0]?.status === 'read')
	await until(async () => (await messagesWith(FAILED))[0]?.status === 'failed')
	await until(async () => (await getWallet(db, accountId)).heldPaise === 0)
	const { messages } = await simulator.control.received(SENT)
	await simulator.control.sendInbound({
		phone_number_id: credentials.phone_number_id,
		from: SENT,
		content: { body: 'Thank you' },
		context_id: messages[0]?.id ?? '',
	})
	await until(async () => (await messagesWith(SENT)).length === 2)
	const shown = [await messagesWith(SENT), await messagesWith(FAILED)]
	assert.match(shown[1]?.[0]?.error ?? '', /\w/)
	assert.equal(shown[0]?.[1]?.replyTo?.id, shown[0]?.[0]?.id)
	const remove = () =>
		removeOldMonths({
			db,
			log: process.context.log,
			// Includes the current month.
			keepMonths: -1,
			signal: new AbortController().signal,
			copyOutcomes: (account, ids) => copyOutcomes(db, account, ids),
		})
	// Repeats the removal, because it waits only briefly for a lock that a worker holds on the partition.
	await until(async () => (await remove().catch(() => 0)) > 0)
	assert.deepEqual([await messagesWith(SENT), await messagesWith(FAILED)], shown)
	const rows = await db`select 1 from chat_messages where account_id = ${accountId} and campaign_id is not null`
	assert.equal(rows.length, 0)
	assert.deepEqual(await moneyFindings(db), [])
})
