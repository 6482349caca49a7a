import assert from 'node:assert/strict'
import { beforeEach, suite, test } from 'node:test'
import * as fc from 'fast-check'
import type { TestAccount } from '#test/factories.ts'
import { launchReplyScene, replyUpdate } from '#test/reply-scene.ts'
import type { ChatUpdate } from '../settlement/settle.ts'

const { db, newAccount, reply, receive, wallet, findings, chargeOf } = await launchReplyScene()
const RUNS = Number(process.env.FUZZ_RUNS ?? 25)

let my: TestAccount
beforeEach(async () => {
	my = await newAccount()
})

suite('settleChats', () => {
	const CASES: {
		title: string
		updates: [status: ChatUpdate['status'], type?: string][]
		wallet: number[]
		state: string
	}[] = [
		{ title: 'holds the price without pricing', updates: [['sent'], ['delivered']], wallet: [88, 12], state: 'held' },
		{ title: 'charges a regular reply', updates: [['sent', 'regular']], wallet: [88, 0], state: 'charged' },
		{
			title: 'charges at read without the earlier statuses',
			updates: [['read', 'regular']],
			wallet: [88, 0],
			state: 'charged',
		},
		{
			title: 'returns the price of a reply within the allowance',
			updates: [['sent', 'free_customer_service']],
			wallet: [100, 0],
			state: 'returned',
		},
		{
			title: 'returns the price in a free entry point',
			updates: [['delivered', 'free_entry_point']],
			wallet: [100, 0],
			state: 'returned',
		},
		{
			title: 'returns the price to exempt businesses',
			updates: [['sent', 'paid_exempt']],
			wallet: [100, 0],
			state: 'returned',
		},
		{
			title: 'returns the price when WhatsApp says that the reply is not billable',
			updates: [['sent', 'not_billable']],
			wallet: [100, 0],
			state: 'returned',
		},
		{ title: 'holds the price at an unknown type', updates: [['sent', 'barter']], wallet: [88, 12], state: 'held' },
		{
			title: 'returns the price of a failed reply',
			updates: [['failed', 'regular']],
			wallet: [100, 0],
			state: 'returned',
		},
		{
			title: 'refunds a charged reply that fails',
			updates: [['sent', 'regular'], ['failed']],
			wallet: [100, 0],
			state: 'returned',
		},
		{
			title: 'charges a reply that fails and is delivered after all',
			updates: [['failed'], ['delivered', 'regular']],
			wallet: [88, 0],
			state: 'charged',
		},
		{
			title: 'keeps the charge when a failure comes after the delivery',
			updates: [['delivered', 'regular'], ['failed']],
			wallet: [88, 0],
			state: 'charged',
		},
		{
			title: 'follows the first pricing that says whether the reply is charged',
			updates: [
				['sent', 'barter'],
				['sent', 'free_customer_service'],
				['delivered', 'regular'],
			],
			wallet: [100, 0],
			state: 'returned',
		},
	]
	for (const { title, updates, wallet: expected, state } of CASES) {
		test(`settleChats ${title}, in one batch and one by one, with repetition`, async () => {
			const [last] = updates.slice(-1)
			assert.ok(last)
			for (const payer of [my, await newAccount()]) {
				const id = await reply(payer)
				const all = [...updates, last].map(([status, type]) => replyUpdate(id, status, { type }))
				if (payer === my) await receive(payer, all)
				else for (const one of all.flatMap((each) => [each, each])) await receive(payer, [one])
				assert.deepEqual([await wallet(payer), (await chargeOf(id))?.state], [expected, state])
			}
			assert.deepEqual(await findings(my), [])
		})
	}

	test('leads to the same money for updates of one reply in any order, batches and repetition', async () => {
		const one = fc.record({
			status: fc.constantFrom<ChatUpdate['status'][]>('sent', 'delivered', 'read', 'failed'),
			isPriced: fc.boolean(),
			place: fc.double({ min: 0, max: 1, noNaN: true }),
		})
		const plan = fc.record({
			type: fc.constantFrom('regular', 'free_customer_service', 'free_entry_point'),
			updates: fc.array(one, { minLength: 1, maxLength: 8 }),
			batchSize: fc.integer({ min: 1, max: 5 }),
		})
		await fc.assert(
			fc.asyncProperty(plan, async ({ type, updates, batchSize }) => {
				const ends: unknown[] = []
				for (const order of [updates, updates.toSorted((a, b) => a.place - b.place)]) {
					const payer = await newAccount()
					const id = await reply(payer)
					const all = order
						.flatMap((each) => (each.place > 0.7 ? [each, each] : [each]))
						.map(({ status, isPriced }) => replyUpdate(id, status, { type: isPriced ? type : null }))
					for (let from = 0; from < all.length; from += batchSize)
						await receive(payer, all.slice(from, from + batchSize))
					const charge = await chargeOf(id)
					ends.push({ wallet: await wallet(payer), type: charge?.pricingType, isCharged: charge?.state === 'charged' })
				}
				const [first, second] = ends as { wallet: number[]; type: string | null }[]
				// Without pricing a hold lasts until it expires, unless the reply failed in between.
				if (first?.type === null && second?.type === null) return
				assert.deepEqual(second, first)
			}),
			{ numRuns: RUNS },
		)
		assert.deepEqual(await findings(), [])
	})

	test('moves the money of many replies of a batch with one entry for each kind', async () => {
		const ids = [await reply(my), await reply(my), await reply(my), await reply(my)]
		const types = ['regular', 'regular', 'free_entry_point', 'regular']
		await receive(
			my,
			ids.map((id, index) => replyUpdate(id, 'sent', { type: types[index] })),
		)
		const entries = await db`
			select kind, held_change_paise as held, message_count as messages from ledger_entries
			where account_id = ${my.accountId} and kind in ('capture', 'release') order by kind
		`
		assert.deepEqual(
			[...entries],
			[
				{ kind: 'capture', held: -36, messages: 3 },
				{ kind: 'release', held: -12, messages: 1 },
			],
		)
		const [day] = await db`select spent_paise as spent from daily_totals where account_id = ${my.accountId}`
		assert.equal(day?.['spent'], 36)
		assert.deepEqual(await findings(my), [])
	})

	test('waives a failed reply that is delivered after all when the wallet cannot pay, and returns no more than it took', async () => {
		const poor = await newAccount(12)
		const [id] = [await reply(poor)]
		await receive(poor, [replyUpdate(id, 'failed', { errorCode: -1 })])
		const second = await reply(poor)
		await receive(poor, [replyUpdate(second, 'sent', { type: 'regular' })])
		await receive(poor, [replyUpdate(id, 'sent', { type: 'regular' })])
		assert.deepEqual([await wallet(poor), (await chargeOf(id))?.state], [[0, 0], 'waived'])
		await receive(poor, [replyUpdate(id, 'failed')])
		assert.deepEqual([await wallet(poor), (await chargeOf(id))?.state], [[0, 0], 'returned'])
		assert.deepEqual(await findings(poor), [])
	})

	test('settles the charge of a reply whose chat was erased', async () => {
		const id = await reply(my)
		await db`delete from chat_messages where id = ${id}`
		await receive(my, [replyUpdate(id, 'delivered', { type: 'regular' })])
		assert.deepEqual(await wallet(my), [88, 0])
		assert.deepEqual(await findings(my), [])
	})
})
