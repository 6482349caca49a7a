import assert from 'node:assert/strict'
import { test } from 'node:test'
import { transaction, type AccountId } from '#lib/server/db.ts'
import { launchProduct, sendingAccount } from '#test/full-stack.ts'
import { countedPeople, passHours, setLimit } from '#test/scenes/limited-shop.ts'
import { Random } from '#test/soak/random.ts'
import { forgetPeople, givePlacesBack, openPlaces, shareOfPlaces, takePlaces } from './places.ts'
import { findSenderLimit } from './portfolio-queries.ts'

const product = await launchProduct({ env: { ROLE: 'http' } })
const { db, log } = product.process.context

const id = (value: number) => value as AccountId
const sharesOf = (free: number, accounts: { people: number; wanted: number }[]) => {
	const all = accounts.map((one, at) => ({ accountId: id(at + 1), ...one }))
	return all.map(({ accountId }) => shareOfPlaces(free, { accountId, accounts: all }))
}

test('shareOfPlaces raises the accounts with the fewest people first, and gives no account more than it wants', () => {
	assert.deepEqual(
		sharesOf(2000, [
			{ people: 0, wanted: 12_000 },
			{ people: 0, wanted: 12_000 },
		]),
		[1000, 1000],
	)
	assert.deepEqual(
		sharesOf(80, [
			{ people: 2000, wanted: 9000 },
			{ people: 0, wanted: 9000 },
		]),
		[0, 80],
	)
	assert.deepEqual(
		sharesOf(100, [
			{ people: 40, wanted: 500 },
			{ people: 0, wanted: 500 },
		]),
		[30, 70],
	)
	assert.deepEqual(
		sharesOf(100, [
			{ people: 0, wanted: 500 },
			{ people: 0, wanted: 10 },
		]),
		[90, 10],
	)
	assert.deepEqual(
		sharesOf(1, [
			{ people: 5, wanted: 9 },
			{ people: 5, wanted: 9 },
			{ people: 6, wanted: 9 },
		]),
		[1, 0, 0],
	)
	assert.deepEqual(
		sharesOf(0, [
			{ people: 0, wanted: 9 },
			{ people: 0, wanted: 9 },
		]),
		[0, 0],
	)
})

test('the shares of random accounts never exceed the free places, and use all of them while an account wants one', () => {
	const random = new Random('7').next
	const upTo = (most: number) => Math.floor(random() * (most + 1))
	for (let round = 0; round < 500; round++) {
		const free = upTo(50)
		const accounts = Array.from({ length: 2 + upTo(3) }, () => ({ people: upTo(40), wanted: upTo(30) }))
		const given = sharesOf(free, accounts).reduce((sum, share) => sum + share, 0)
		const wanted = accounts.reduce((sum, one) => sum + one.wanted, 0)
		assert.equal(given, Math.min(free, wanted), JSON.stringify({ free, accounts }))
	}
})

/** A message of the model: counted while it is younger than a day. */
interface ModelMessage {
	accountId: AccountId
	seq: number
	number: string
	ageHours: number
}

const HOURS_COUNTED = 24

/** Returns the different people whom the model counts. */
function peopleOf(messages: readonly ModelMessage[]): Set<string> {
	return new Set(messages.filter(({ ageHours }) => ageHours <= HOURS_COUNTED).map(({ number }) => number))
}

test('random claims, failures and hours of two accounts never exceed the limit of their portfolio, and leave no place unused', async () => {
	const random = new Random('41').next
	const upTo = (most: number) => Math.floor(random() * (most + 1))
	const shops = [await sendingAccount(product, { contacts: 1 }), await sendingAccount(product, { contacts: 1 })]
	const portfolio = 'portfolio-model'
	const limit = 12
	for (const { accountId } of shops) await setLimit(db, accountId, { limit, portfolio })
	let model: ModelMessage[] = []
	let seq = 0
	for (let step = 0; step < 150; step++) {
		const accountId = shops[upTo(1)]?.accountId ?? id(0)
		const kind = upTo(9)
		if (kind < 5) {
			const messages = Array.from({ length: 1 + upTo(5) }, () => ({
				campaignId: Number(accountId),
				seq: ++seq,
				number: `9198${String(upTo(25)).padStart(8, '0')}`,
			}))
			const before = peopleOf(model)
			const taken = await transaction(db, async (sql) => {
				const sender = await findSenderLimit(sql, accountId)
				assert.ok(sender)
				const places = await openPlaces(sql, accountId, { ...sender, perDay: sender.perDay ?? 0 })
				assert.equal(places.free, limit - before.size, `step ${step}`)
				return (await takePlaces(sql, accountId, { places, messages, most: 100 })).taken
			})
			const expected: typeof messages = []
			for (const message of messages) {
				if (!before.has(message.number) && before.size >= limit) continue
				before.add(message.number)
				expected.push(message)
			}
			assert.deepEqual(taken, expected, `step ${step}`)
			model.push(...taken.map((message) => ({ accountId, seq: message.seq, number: message.number, ageHours: 0 })))
		} else if (kind < 8) {
			const own = model.filter((one) => one.accountId === accountId)
			const failed = own.filter(() => random() < 0.2)
			const keys = failed.map((one) => ({ campaignId: Number(accountId), seq: one.seq }))
			await transaction(db, (sql) => givePlacesBack(sql, accountId, keys))
			// A repeated settlement gives nothing back twice.
			await transaction(db, (sql) => givePlacesBack(sql, accountId, keys))
			model = model.filter((one) => !failed.includes(one))
		} else {
			const hours = 1 + upTo(9)
			await passHours(product, hours)
			for (const one of model) one.ageHours += hours
			if (kind === 9) await forgetPeople({ db, log })
		}
		assert.ok(peopleOf(model).size <= limit)
		const { people, counted } = await countedPeople(db, portfolio)
		assert.equal(counted, people, `step ${step}`)
	}
	await passHours(product, 25)
	await forgetPeople({ db, log })
	assert.deepEqual(await countedPeople(db, portfolio), { people: 0, counted: 0 })
	assert.equal((await db`select 1 from portfolios where portfolio = ${portfolio}`).length, 0)
})

test('two transactions that take places at the same time take no more than there are', async () => {
	const { accountId } = await sendingAccount(product, { contacts: 1 })
	await setLimit(db, accountId, { limit: 10, portfolio: 'portfolio-race' })
	const claim = (from: number) =>
		transaction(db, async (sql) => {
			const sender = await findSenderLimit(sql, accountId)
			assert.ok(sender)
			const places = await openPlaces(sql, accountId, { ...sender, perDay: sender.perDay ?? 0 })
			const messages = Array.from({ length: 8 }, (_, at) => ({
				campaignId: 1,
				seq: from + at,
				number: `91${from + at}`,
			}))
			return (await takePlaces(sql, accountId, { places, messages, most: 8 })).taken.length
		})
	const taken = await Promise.all([claim(100), claim(200), claim(300)])
	assert.equal(
		taken.reduce((sum, count) => sum + count, 0),
		10,
	)
})

test('people who were counted for a WABA stay counted when its portfolio becomes known', async () => {
	const { accountId, credentials } = await sendingAccount(product, { contacts: 1 })
	const take = (seq: number) =>
		transaction(db, async (sql) => {
			const sender = await findSenderLimit(sql, accountId)
			assert.ok(sender)
			const places = await openPlaces(sql, accountId, { ...sender, perDay: sender.perDay ?? 0 })
			const messages = [{ campaignId: 2, seq, number: `91${seq}` }]
			return (await takePlaces(sql, accountId, { places, messages, most: 8 })).taken.length
		})
	await setLimit(db, accountId, { limit: 2, portfolio: null })
	assert.equal(await take(1), 1)
	await setLimit(db, accountId, { limit: 2, portfolio: 'portfolio-found' })
	assert.deepEqual([await take(2), await take(3)], [1, 0])
	assert.deepEqual(await countedPeople(db, 'portfolio-found'), { people: 2, counted: 2 })
	assert.deepEqual(await countedPeople(db, `waba:${credentials.waba_id}`), { people: 0, counted: 0 })
})
