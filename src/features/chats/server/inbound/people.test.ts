import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listWrittenEnough } from '#features/audiences/server/recipients/frequency-queries.ts'
import { setOptOuts } from '#features/contacts/server/opt-outs/opt-outs.ts'
import { privacy } from '#features/privacy/contract.ts'
import { launchTestApp } from '#test/http-app.ts'
import { A, B, C, NEW, NOW, OLD, changedPeople, message, moved, renewed, text } from '#test/scenes/changed-people.ts'

const app = await launchTestApp()
const { db } = app.context
const { newShop, add, campaignTo } = changedPeople(app)

test('a changed number merges chats and contacts of both numbers, and an opt-out of either remains', async () => {
	const shop = await newShop()
	await add(shop.accountId, 'Asha', A)
	await add(shop.accountId, B, B)
	await shop.take(text(A, 'STOP', { ago: 90 }), text(B, 'From the new one', { ago: 80 }))
	await shop.take(moved(A, B, 70))
	assert.deepEqual(await shop.keys(), [B])
	assert.deepEqual(await shop.contacts(), [[B, 'Asha', true]])
	assert.deepEqual(await shop.texts(B), ['STOP', 'From the new one', 'Changed'])
	assert.ok((await shop.optedOut()).includes(B))
})

test('an opt-in after a change of number or user id applies, in any order and any batches', async () => {
	const changes = [
		[text(A, 'STOP', { ago: 90 }), moved(A, B, 60), text(B, 'START', { ago: 20 })],
		[
			text(OLD, 'STOP', { ago: 90 }),
			renewed({ user_id: NEW, previous_user_id: OLD }, null, 60),
			text(NEW, 'START', { ago: 20 }),
		],
	]
	for (const values of changes)
		for (const order of [values, values.toReversed()])
			for (const batches of [[order], order.map((value) => [value])]) {
				const shop = await newShop()
				for (const batch of batches) await shop.take(...batch)
				assert.ok(!(await shop.optedOut()).some((number) => number === B || number === NEW))
			}
})

test('changes of number lead to the present number in any order, repeated and in a circle', async () => {
	const changes = [moved(A, B, 60), moved(B, C, 50)]
	for (const order of [changes, changes.toReversed(), [...changes, ...changes.toReversed()]]) {
		const shop = await newShop()
		await add(shop.accountId, 'Asha', A)
		await shop.take(text(A, 'Hello', { ago: 70 }))
		for (const change of order) await shop.take(change)
		assert.deepEqual([await shop.keys(), await shop.contacts()], [[C], [[C, 'Asha', false]]])
	}
	const circle = [moved(A, B, 60), moved(B, A, 50)]
	for (const order of [circle, circle.toReversed()]) {
		const shop = await newShop()
		await shop.take(text(A, 'Hello', { ago: 70 }))
		for (const change of order) await shop.take(change)
		assert.deepEqual(await shop.keys(), [A])
	}
	const shop = await newShop()
	const loops = Array.from({ length: 200 }, (_, at) => (at % 2 ? moved(B, A, 40) : moved(A, B, 40)))
	await shop.take(text(A, 'Hello', { ago: 70 }), ...loops)
	assert.equal((await shop.keys()).length, 1)
})

test('an opt-out under a user id that changed without a number also opts out the number of the contact', async () => {
	const shop = await newShop()
	await add(shop.accountId, 'Asha', A)
	await shop.take(text(A, 'Hello', { ago: 90, from_user_id: OLD }))
	await shop.take(renewed({ user_id: NEW, previous_user_id: OLD }, null, 70))
	await shop.take(text(NEW, 'STOP', { ago: 60 }))
	assert.deepEqual(await shop.contacts(), [[A, 'Asha', true]])
	assert.ok((await shop.optedOut()).includes(A))
})

test('the next owner of a former number has a chat of their own, and a late message of the earlier owner joins theirs', async () => {
	const shop = await newShop()
	await shop.take(text(A, 'Asha writes', { ago: 90 }))
	await shop.take(moved(A, B, 60))
	await shop.take(text(A, 'Ravi writes', { ago: 30 }), text(A, 'Asha wrote late', { ago: 80 }))
	assert.deepEqual(await shop.keys(), [A, B])
	assert.deepEqual(await shop.texts(A), ['Ravi writes'])
	assert.deepEqual(await shop.texts(B), ['Asha writes', 'Asha wrote late', 'Changed'])
	// The same change under another id is applied already, so Ravi keeps his chat.
	await shop.take(moved(A, B, 60))
	assert.deepEqual(await shop.texts(A), ['Ravi writes'])
})

test('a changed user id moves the chat and the opt-out of a customer who hides the number', async () => {
	const shop = await newShop()
	await shop.take(text(OLD, 'STOP', { ago: 90 }))
	await shop.take(renewed({ user_id: NEW, previous_user_id: OLD }))
	await shop.take(text(NEW, 'Hello again', { ago: 20 }), text(OLD, 'Late', { ago: 95 }))
	assert.deepEqual(await shop.keys(), [NEW])
	assert.deepEqual(await shop.texts(NEW), ['Late', 'STOP', 'Changed', 'Hello again'])
	assert.deepEqual(await shop.optedOut(), [OLD, NEW].toSorted())
	await shop.take(renewed({ user_id: NEW, previous_user_id: NEW }), renewed({ user_id: 7, previous_user_id: {} }))
	assert.deepEqual(await shop.keys(), [NEW])
})

test('a changed user id keeps the number that it names, and leaves the number that it does not name', async () => {
	const shop = await newShop()
	await shop.take(text(A, 'Hello', { ago: 90, from_user_id: OLD }))
	await shop.take(renewed({ user_id: NEW, previous_user_id: OLD, wa_id: A }, null, 80))
	assert.deepEqual(await shop.keys(), [A])
	await shop.take(text(NEW, 'Hidden now', { ago: 70 }))
	assert.deepEqual(await shop.keys(), [A])
	await shop.take(renewed({ user_id: 'IN.newer1', previous_user_id: NEW }, null, 60))
	assert.deepEqual(await shop.keys(), ['IN.newer1'])
	assert.deepEqual(await shop.texts('IN.newer1'), ['Hello', 'Changed', 'Hidden now', 'Changed'])
})

test('a change touches only the account that received it', async () => {
	const [first, second] = [await newShop(), await newShop()]
	for (const shop of [first, second]) {
		await add(shop.accountId, 'Asha', A)
		await shop.take(text(A, 'Hello', { ago: 90 }))
	}
	await first.take(moved(A, B, 60))
	assert.deepEqual([await second.keys(), await second.contacts()], [[A], [[A, 'Asha', false]]])
})

test('messages to a former number count for the frequency of the present one', async () => {
	const { accountId, take } = await newShop()
	const sentAt = new Date((NOW - 3600) * 1000)
	await db`
		insert into campaign_messages (account_id, campaign_id, seq, number, status, sent_at)
		values (${accountId}, 990001, 1, ${A}, 'sent', ${sentAt})
	`
	const cap = { messages: 1, days: 7, since: new Date((NOW - 86_400) * 1000), campaigns: [990001], open: [] }
	assert.deepEqual(await listWrittenEnough(db, accountId, { cap, numbers: [A, B] }), [A])
	await take(moved(A, B, 60))
	assert.deepEqual(await listWrittenEnough(db, accountId, { cap, numbers: [A, B] }), [B])
})

/** Returns a value with the card of `A` from a customer who hides the number. */
const cardOfA = (origin: string) =>
	message(OLD, 'contacts', [{ origin, phones: [{ phone: '+91 98111 22091', wa_id: A, type: 'CELL' }] }])

test('a customer who sends their own number on request becomes a contact of that number, with chat and opt-out', async () => {
	const shop = await newShop()
	const value = text(OLD, 'STOP', { ago: 90 })
	await shop.take({ ...value, contacts: [{ user_id: OLD, profile: { name: 'Asha' } }] })
	await shop.take(cardOfA('other'))
	assert.deepEqual([await shop.keys(), await shop.contacts()], [[OLD], []])
	await shop.take({ ...cardOfA('contact_request'), contacts: [{ user_id: OLD, profile: { name: 'Asha' } }] })
	assert.deepEqual([await shop.keys(), await shop.contacts()], [[A], [[A, 'Asha', true]]])
	await shop.take(text(OLD, 'Still me', { ago: 20 }))
	assert.deepEqual(await shop.keys(), [A])
	assert.deepEqual((await shop.texts(OLD)).at(-1), 'Still me')
	assert.ok((await shop.optedOut()).includes(A))
})

test('a card of another person’s number, without a number or of a strange shape adds no contact', async () => {
	const { accountId, take, contacts } = await newShop()
	await setOptOuts(db, accountId, { numbers: [B], optedOut: true, because: 'manual' })
	const cards = [
		{ origin: 'contact_request', phones: [{ wa_id: B }] },
		{ origin: 'contact_request', phones: [] },
		{ origin: 'contact_request', phones: { wa_id: B } },
		{ origin: 'contact_request', phones: [{ phone: 'call me' }] },
		{ origin: ['contact_request'], phones: [{ wa_id: B }] },
	]
	// The customer shows a number, so a card of another number is not their own.
	await take(...cards.map((card) => message(A, 'contacts', [card])))
	assert.deepEqual(await contacts(), [])
})

test('a message that names a number and the user id of another chat joins both chats', async () => {
	const shop = await newShop()
	await shop.take(text(OLD, 'STOP', { ago: 90 }))
	await shop.take(text(A, 'My number', { ago: 60, from_user_id: OLD }))
	assert.deepEqual(await shop.keys(), [A])
	assert.deepEqual(await shop.texts(A), ['STOP', 'My number'])
	assert.ok((await shop.optedOut()).includes(A))
})

test('an erasure of the next owner keeps the history of the earlier owner, also in its second pass and a repetition', async () => {
	const shop = await newShop()
	const { accountId } = shop
	await campaignTo(accountId, [A], 3600)
	await shop.take(text(A, 'Asha writes', { ago: 3000 }), moved(A, B, 1800))
	await shop.take(text(A, 'Ravi writes', { ago: 900 }))
	await campaignTo(accountId, [A], 600)
	const erase = async (number: string) => {
		const { chatMessages, campaignMessages } = (await app.call(privacy.erase, { body: { number } }, shop)).body.counts
		return [chatMessages, campaignMessages]
	}
	assert.deepEqual(await erase(A), [1, 1])
	assert.deepEqual(
		[await erase(A), await shop.texts(B)],
		[
			[0, 0],
			// The first is the template of the campaign to the former number.
			['', 'Asha writes', 'Changed'],
		],
	)
	assert.deepEqual([await erase(B), await shop.keys()], [[2, 1], []])
	assert.equal((await db`select 1 from former_ids where account_id = ${accountId}`).length, 0)
})

test('an opt-out before a late change follows the person, although the next owner opted out or in since', async () => {
	for (const [word, left] of [
		['STOP', [A, B]],
		['START', [B]],
	] as const) {
		const shop = await newShop()
		await shop.take(text(A, 'STOP', { ago: 90 }))
		await shop.take(text(A, word, { ago: 30 }))
		await shop.take(moved(A, B, 60))
		assert.deepEqual(await shop.optedOut(), left)
	}
})

for (const [first, then, expected] of [
	['STOP', 'START', [B]],
	['START', 'STOP', [A]],
] as const)
	test(`the ${first} of a person and the ${then} of the number's next owner in one batch count for their own numbers`, async () => {
		const shop = await newShop()
		const earlier = new Date((NOW - 9000) * 1000)
		await setOptOuts(db, shop.accountId, { numbers: [A], optedOut: false, because: 'manual' })
		await db`update opt_outs set said_at = ${earlier}, changed_at = ${earlier} where account_id = ${shop.accountId}`
		await shop.take(text(A, first, { ago: 90 }), moved(A, B, 60), text(A, then, { ago: 30 }))
		assert.deepEqual([await shop.optedOut(), await shop.keys()], [expected, [A, B]])
	})

test('an opt-out of a number’s earlier owner does not follow the next owner, who is known by a chat, to another number', async () => {
	const shop = await newShop()
	await shop.take(text(A, 'STOP', { ago: 9000 }))
	await shop.take(moved(A, B, 8000))
	await shop.take(text(A, 'Ravi writes', { ago: 7000 }))
	await shop.take(moved(A, C, 6000))
	assert.deepEqual(
		[await shop.optedOut(), await shop.keys()],
		[
			[A, B],
			[B, C],
		],
	)
	assert.deepEqual(await shop.texts(C), ['Ravi writes', 'Changed'])
})
