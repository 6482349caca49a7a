import assert from 'node:assert/strict'
import { test } from 'node:test'
import { campaignReads, givePlacesBack } from '#features/delivery/server/limits/campaign-reads.ts'
import { readSenderLimits } from '#features/whatsapp/server/service.ts'
import { transaction, type AccountId } from '#lib/server/db.ts'
import { LATER, launchProduct, sendingAccount, startCampaign } from '#test/full-stack.ts'
import { countedPeople, passHours, setLimit, withPlaces } from '#test/scenes/limited-shop.ts'
import { Random } from '#test/soak/random.ts'
import { findSenderLimit, forgetPeople, openPlaces, takePlaces } from './service.ts'

const product = await launchProduct({ env: { ROLE: 'http' } })
const { db, log } = product.process.context

let lastSeq = 100_000
/** Takes places for messages to these numbers. Returns the number of messages that may be sent. */
const takeFor = (accountId: AccountId, numbers: readonly string[]) =>
	withPlaces(db, accountId, async (sql, places) => {
		const messages = numbers.map((number) => ({ campaignId: 2, seq: ++lastSeq, number }))
		return (await takePlaces(sql, accountId, { places, messages, most: 100 })).taken.length
	})

/** Creates an account with a sender. */
const newSender = () => sendingAccount(product, { contacts: 1 })

const freeOf = (accountId: AccountId) => withPlaces(db, accountId, async (_, { free }) => free)

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
	const shops = [await newSender(), await newSender()] as const
	const portfolio = 'portfolio-model'
	const limit = 12
	for (const { accountId } of shops) await setLimit(db, accountId, { limit, portfolio })
	let model: ModelMessage[] = []
	let seq = 0
	for (let step = 0; step < 150; step++) {
		const accountId = shops[upTo(1)]?.accountId ?? shops[0].accountId
		const kind = upTo(9)
		if (kind < 5) {
			const messages = Array.from({ length: 1 + upTo(5) }, () => ({
				campaignId: Number(accountId),
				seq: ++seq,
				number: `9198${String(upTo(25)).padStart(8, '0')}`,
			}))
			const before = peopleOf(model)
			const taken = await withPlaces(db, accountId, async (sql, places) => {
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

test('three concurrent transactions that take places take only as many as the limit has', async () => {
	const { accountId } = await newSender()
	await setLimit(db, accountId, { limit: 10, portfolio: 'portfolio-race' })
	const claim = (from: number) =>
		takeFor(
			accountId,
			Array.from({ length: 8 }, (_, at) => `91${from + at}`),
		)
	const taken = await Promise.all([claim(100), claim(200), claim(300)])
	assert.equal(
		taken.reduce((sum, count) => sum + count, 0),
		10,
	)
})

test('people who were counted for a WABA stay counted when its portfolio becomes known', async () => {
	const { accountId, credentials } = await newSender()
	await setLimit(db, accountId, { limit: 2, portfolio: null })
	assert.equal(await takeFor(accountId, ['911']), 1)
	await setLimit(db, accountId, { limit: 2, portfolio: 'portfolio-found' })
	assert.equal(await takeFor(accountId, ['912', '913']), 1)
	assert.deepEqual(await countedPeople(db, 'portfolio-found'), { people: 2, counted: 2 })
	assert.deepEqual(await countedPeople(db, `waba:${credentials.waba_id}`), { people: 0, counted: 0 })
})

/** Lets WhatsApp report a portfolio and a limit of 250 people for an account, and reads both. */
async function readPortfolio(sender: Awaited<ReturnType<typeof sendingAccount>>, portfolio: string) {
	const { waba_id } = sender.credentials
	await product.simulator.control.setPortfolio({ waba_id, portfolio_id: portfolio, limit: 'TIER_250' })
	await readSenderLimits(product.process.context, sender.accountId)
}

test('people of a WABA count in its portfolio once WhatsApp has reported it, before other accounts of the WABA or portfolio claim', async () => {
	const [known, late, unread] = [await newSender(), await newSender(), await newSender()]
	await readPortfolio(known, 'portfolio-joined')
	for (const one of [late, unread]) await setLimit(db, one.accountId, { limit: 250, portfolio: null })
	// The account `unread` has the WABA of `late`, and its portfolio stays unknown.
	await db`update senders set waba_id = ${late.credentials.waba_id} where account_id = ${unread.accountId}`
	await takeFor(known.accountId, ['9101'])
	await takeFor(late.accountId, ['9102', '9103'])
	await takeFor(unread.accountId, ['9104'])
	assert.equal(await freeOf(known.accountId), 249)
	await readPortfolio(late, 'portfolio-joined')
	assert.deepEqual(await countedPeople(db, 'portfolio-joined'), { people: 4, counted: 4 })
	assert.equal(await freeOf(known.accountId), 246)
	await takeFor(unread.accountId, ['9105'])
	assert.equal(await freeOf(late.accountId), 245)
	assert.equal((await findSenderLimit(db, unread.accountId))?.portfolio, 'portfolio-joined')
	await forgetPeople({ db, log })
	assert.equal(await freeOf(unread.accountId), 245)
})

/** Creates a campaign to `contacts` people of whom all but two are reached, one is in flight and one of unknown outcome. */
async function reachedWithoutLimit(contacts: number) {
	const sender = await sendingAccount(product, { contacts })
	const { accountId } = sender
	const campaignId = await startCampaign(product, sender, LATER)
	await db`
		update campaigns set status = 'processing', started_at = now(), claimed_through = total_count where id = ${campaignId}
	`
	await db`
		update campaign_messages set status = 'sent', status_at = now(), sent_at = now() - interval '1 hour'
		where account_id = ${accountId} and campaign_id = ${campaignId} and seq <= ${contacts - 2}
	`
	await db`
		insert into message_claims (account_id, lease_epoch, batch, campaign_id, worker, seqs)
		values (${accountId}, 1, 1, ${campaignId}, '', ${[contacts - 1]}::int[])
	`
	await db`
		insert into unsettled_messages (account_id, campaign_id, seq, attempts, unknown_since)
		values (${accountId}, ${campaignId}, ${contacts}, 1, now())
	`
	return { ...sender, campaignId }
}

test('messages that were sent or in flight while the limit was unknown count when it becomes known, and messages of 25 hours ago do not', async () => {
	const known = await newSender()
	await readPortfolio(known, 'portfolio-unknown')
	await takeFor(known.accountId, ['9201'])
	const sender = await reachedWithoutLimit(7)
	await db`
		update campaign_messages set sent_at = now() - interval '25 hours'
		where account_id = ${sender.accountId} and campaign_id = ${sender.campaignId} and seq = 1
	`
	await setLimit(db, sender.accountId, { limit: null, portfolio: 'portfolio-unknown' })
	assert.equal(await freeOf(known.accountId), 249)
	await readPortfolio(sender, 'portfolio-unknown')
	assert.equal(await freeOf(known.accountId), 243)
	// Without a limit nothing is counted; a limit that returns counts what was sent meanwhile.
	await db`delete from portfolio_messages where account_id = ${sender.accountId} and seq > 3`
	await db`update portfolios set people = 3 where portfolio = 'portfolio-unknown'`
	await setLimit(db, sender.accountId, { limit: -1, portfolio: 'portfolio-unknown' })
	await readPortfolio(sender, 'portfolio-unknown')
	assert.equal(await freeOf(sender.accountId), 243)
	assert.deepEqual(await countedPeople(db, 'portfolio-unknown'), { people: 7, counted: 7 })
})

test('the first count of many messages is divided into transactions, none of which gives a place before its end', async () => {
	const sender = await reachedWithoutLimit(3)
	const { accountId, campaignId } = sender
	await db`
		insert into campaign_messages (account_id, campaign_id, seq, number, status, status_at, sent_at)
		select ${accountId}, ${campaignId}, s, '9177' || lpad(s::text, 8, '0'), 'sent', now(), now() - interval '1 hour'
		from generate_series(4, 25000) s
	`
	await db`update campaigns set claimed_through = 25000, total_count = 25000 where id = ${campaignId}`
	await setLimit(db, accountId, { limit: 50_000, portfolio: 'portfolio-many' })
	const limited = await findSenderLimit(db, accountId)
	assert.ok(limited)
	const open = () =>
		transaction(db, (sql) => openPlaces(sql, accountId, { ...limited, perDay: 50_000, reads: campaignReads }))
	assert.equal(await open(), null)
	assert.equal(await open(), null)
	assert.equal((await open())?.free, 25_000)
	assert.deepEqual(await countedPeople(db, 'portfolio-many'), { people: 25_000, counted: 25_000 })
})

test('the counted messages of a WABA move with it to another portfolio, which frees no place', async () => {
	const [old, moved, unread] = [await newSender(), await newSender(), await newSender()]
	for (const one of [old, moved]) await readPortfolio(one, 'portfolio-from')
	// The account `unread` has the WABA of `moved`, and its portfolio stays unknown.
	await db`update senders set waba_id = ${moved.credentials.waba_id} where account_id = ${unread.accountId}`
	await setLimit(db, unread.accountId, { limit: 250, portfolio: null })
	await takeFor(old.accountId, ['9301', '9302'])
	await takeFor(moved.accountId, ['9302', '9303'])
	await takeFor(unread.accountId, ['9304'])
	assert.deepEqual(await countedPeople(db, 'portfolio-from'), { people: 4, counted: 4 })
	await readPortfolio(moved, 'portfolio-into')
	assert.deepEqual(await countedPeople(db, 'portfolio-from'), { people: 2, counted: 2 })
	assert.deepEqual(await countedPeople(db, 'portfolio-into'), { people: 3, counted: 3 })
	for (const { accountId } of [moved, unread]) assert.equal(await freeOf(accountId), 247)
	assert.equal(await freeOf(old.accountId), 248)
})

test('an account counts in the new portfolio of its WABA as soon as another account of the WABA has read it', async () => {
	const [old, reader, late] = [await newSender(), await newSender(), await newSender()]
	for (const one of [old, reader, late]) await readPortfolio(one, 'portfolio-read')
	await db`update senders set waba_id = ${reader.credentials.waba_id} where account_id = ${late.accountId}`
	await takeFor(late.accountId, ['9311', '9312'])
	await readPortfolio(reader, 'portfolio-read-later')
	await takeFor(late.accountId, ['9313'])
	assert.deepEqual(await countedPeople(db, 'portfolio-read'), { people: 0, counted: 0 })
	assert.deepEqual(await countedPeople(db, 'portfolio-read-later'), { people: 3, counted: 3 })
	assert.equal(await freeOf(old.accountId), 250)
	for (const { accountId } of [reader, late]) {
		assert.equal((await findSenderLimit(db, accountId))?.portfolio, 'portfolio-read-later')
		assert.equal(await freeOf(accountId), 247)
	}
})

test('messages of an account without a limit leave its former portfolio too', async () => {
	const sender = await newSender()
	await readPortfolio(sender, 'portfolio-then')
	await takeFor(sender.accountId, ['9311'])
	const { waba_id } = sender.credentials
	await product.simulator.control.setPortfolio({ waba_id, portfolio_id: 'portfolio-now', limit: 'TIER_UNLIMITED' })
	await readSenderLimits(product.process.context, sender.accountId)
	await readPortfolio(sender, 'portfolio-now')
	assert.equal(await freeOf(sender.accountId), 249)
	assert.deepEqual(await countedPeople(db, 'portfolio-then'), { people: 0, counted: 0 })
})

test('two accounts that change portfolios in opposite directions while both claim lose no message, and both finish', async () => {
	const [first, second] = [await newSender(), await newSender()]
	const names = ['portfolio-left', 'portfolio-right'] as const
	await readPortfolio(first, names[0])
	await readPortfolio(second, names[1])
	for (let round = 1; round <= 6; round++) {
		const numbers = [`93${round}0`, `93${round}1`]
		await Promise.all([
			takeFor(first.accountId, numbers),
			takeFor(second.accountId, numbers),
			readPortfolio(first, names[round % 2] ?? names[0]),
			readPortfolio(second, names[(round + 1) % 2] ?? names[1]),
		])
	}
	const counted = [await countedPeople(db, names[0]), await countedPeople(db, names[1])]
	assert.deepEqual(counted, [
		{ people: 12, counted: 12 },
		{ people: 12, counted: 12 },
	])
})

test('a message that is claimed again under another portfolio leaves the former one', async () => {
	const sender = await newSender()
	const messages = [{ campaignId: 3, seq: 1, number: '9321' }]
	const take = () =>
		withPlaces(db, sender.accountId, (sql, places) => takePlaces(sql, sender.accountId, { places, messages, most: 1 }))
	await setLimit(db, sender.accountId, { limit: 5, portfolio: 'portfolio-before' })
	await take()
	await setLimit(db, sender.accountId, { limit: 5, portfolio: 'portfolio-after' })
	await db`update portfolios set moved_to = 'portfolio-after' where portfolio = ${`waba:${sender.credentials.waba_id}`}`
	await take()
	assert.deepEqual(await countedPeople(db, 'portfolio-before'), { people: 0, counted: 0 })
	assert.deepEqual(await countedPeople(db, 'portfolio-after'), { people: 1, counted: 1 })
})
