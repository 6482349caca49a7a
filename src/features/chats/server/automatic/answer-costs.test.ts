import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AutomaticBody } from '#features/replies/contract.ts'
import { insertAutomatic, upsertSettings } from '#features/replies/server/automatic/automatic-queries.ts'
import { transaction } from '#lib/server/db.ts'
import type { TestAccount } from '#test/factories.ts'
import { countStatements } from '#test/readers/statement-count.ts'
import { launchReplyScene } from '#test/reply-scene.ts'
import { receiveMessages } from '../inbound/receive.ts'

const { db, newAccount, setPrice } = await launchReplyScene()

const PRICE: AutomaticBody = { kind: 'keyword', phrases: ['price'], text: 'It costs 80', monthlyLimit: 500 }
let numbers = 919_820_100_000

/** Receives a text from each of `people` new customers in one webhook. Returns the number of statements. */
async function receive({ accountId }: TestAccount, text: string, people: number): Promise<number> {
	const timestamp = String(Math.floor(Date.now() / 1000))
	const messages = Array.from({ length: people }, () => {
		const from = String(++numbers)
		return { from, id: `wamid.cost.${from}`, timestamp, type: 'text', text: { body: text } }
	})
	return transaction(db, async (sql) => {
		const counted = countStatements(sql)
		await receiveMessages(counted.sql, accountId, [{ messages }])
		return counted.count()
	})
}

async function countReplies({ accountId }: TestAccount): Promise<number> {
	const rows = await db`
		select from chat_messages where account_id = ${accountId} and request_id like 'auto:%' and status = 'pending'
	`
	return rows.length
}

test('receiveMessages runs as many statements for 50 messages as for one; automatic replies add 3 when none matches, 9 free and 12 paid', async () => {
	const my = await newAccount(10_000)
	const measure = async (text: string) => {
		const one = await receive(my, text, 1)
		assert.equal(await receive(my, text, 50), one, text)
		return one
	}
	await insertAutomatic(db, my.accountId, PRICE)
	await upsertSettings(db, my.accountId, { isOn: false })
	const off = await measure('price')
	await upsertSettings(db, my.accountId, { isOn: true })
	const unmatched = await measure('Hello')
	assert.equal(await countReplies(my), 0)
	const paid = await measure('price')
	await setPrice(my, { servicePrice: 0 })
	const free = await measure('price')
	assert.equal(await countReplies(my), 102)
	assert.deepEqual([unmatched - off, free - off, paid - off], [3, 9, 12])
})

test('receiveMessages writes automatic replies only as far as the wallet can pay for them', async () => {
	const my = await newAccount(60)
	await insertAutomatic(db, my.accountId, PRICE)
	await receive(my, 'price', 3)
	await receive(my, 'price', 3)
	assert.equal(await countReplies(my), 5, '60 paise pay for five replies at 12, of which three were written before')
})
