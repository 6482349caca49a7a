import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createTestDatabase } from '#test/database.ts'
import { MARKET_IDS } from '../markets.ts'
import { cardsInEffectAllAccounts } from './queries.ts'
import { getRatesAllAccounts } from './rate-queries.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
before(async () => {
	database = await createTestDatabase()
})
after(() => database.drop())

const insertCard = async (effectiveFrom: string, marketingMicros: number) => {
	const [card] = await database.sql<{ id: number }[]>`
		insert into meta_rate_cards (currency, effective_from, file_name) values ('INR', ${effectiveFrom}, 'inr.csv')
		returning id
	`
	await database.sql`
		insert into meta_rates (card_id, market, category, rate_micros) values (${card?.id}, 'IN', 'marketing', ${marketingMicros})
	`
	return card?.id
}
const marketingOn = async (day: string) =>
	(await getRatesAllAccounts(database.sql, 'INR', day)).get('IN')?.marketing?.rateMicros ?? null

test('getRatesAllAccounts returns the built-in rates of October 2026, and no entry for an unknown rate', async () => {
	const rates = await getRatesAllAccounts(database.sql, 'INR', '2026-11-26')
	const micros = (market: (typeof MARKET_IDS)[number]) => {
		const { marketing, utility, authentication, service } = rates.get(market) ?? {}
		return [marketing, utility, authentication, service].map((rate) => rate?.rateMicros ?? null)
	}
	assert.deepEqual(micros('IN'), [863_100, 115_000, 115_000, 115_000])
	assert.deepEqual(micros('AE'), [3_661_300, 1_150_900, 1_150_900, 1_150_900])
	assert.deepEqual(micros('SA'), [null, 783_400, 783_400, 783_400])
	assert.deepEqual(micros('HK'), [null, null, null, null])
	assert.equal(rates.get('IN')?.['authentication-international']?.rateMicros, 2_497_100)
	assert.deepEqual([rates.get('PL')?.marketing?.isComputed, rates.get('IN')?.marketing?.isComputed], [true, false])
	const unknown = MARKET_IDS.filter((market) => !rates.get(market)?.utility)
	assert.deepEqual(unknown, 'HK HU IQ KZ KW MA NP OM PL QA RO SG LK UA'.split(' '))
})

test('getRatesAllAccounts returns no rates before the first card and for another currency', async () => {
	assert.equal((await getRatesAllAccounts(database.sql, 'INR', '2026-09-30')).size, 0)
	assert.equal((await getRatesAllAccounts(database.sql, 'USD', '2026-11-26')).size, 0)
})

test('getRatesAllAccounts returns the newest card of the last day of effect, whole', async () => {
	const corrected = await insertCard('2026-10-01', 910_000)
	const next = await insertCard('2027-01-01', 950_000)
	assert.deepEqual(
		await Promise.all(['2026-09-30', '2026-10-01', '2026-12-31', '2027-01-01', '2031-01-01'].map(marketingOn)),
		[null, 910_000, 910_000, 950_000, 950_000],
	)
	assert.equal((await getRatesAllAccounts(database.sql, 'INR', '2027-01-01')).size, 1)
	const { sql } = database
	const cards = await sql`
		select id, valid_from::text as "from", valid_until::text as until from ${cardsInEffectAllAccounts(sql, 'INR')} c
		order by 2
	`
	assert.deepEqual(
		[...cards],
		[
			{ id: corrected, from: '2026-10-01', until: '2027-01-01' },
			{ id: next, from: '2027-01-01', until: 'infinity' },
		],
	)
})
