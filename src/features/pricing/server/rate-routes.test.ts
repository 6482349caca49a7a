import assert from 'node:assert/strict'
import { test } from 'node:test'
import { indianDay } from '#lib/dates.ts'
import { DAY_MS } from '#lib/durations.ts'
import { account } from '#test/factories.ts'
import { rateCardCsv, rateCardWorkbook, type RateCardOptions } from '#test/files/rate-card.ts'
import { launchTestApp } from '#test/http-app.ts'
import { rates } from '../rate-contract.ts'
import { summarizeRates } from './rate-service.ts'

const app = await launchTestApp()
const admin = await app.signIn('admin')

const inDays = (days: number) => indianDay(Date.now() + days * DAY_MS)

const fileOf = (content: string | Buffer, name = 'inr.csv') =>
	new File([typeof content === 'string' ? content : new Uint8Array(content)], name)
const compare = (file: File, effectiveFrom = '') =>
	app.call(rates.compare, { body: { effectiveFrom }, files: { file } }, admin)
const load = (file: File, effectiveFrom: string, confirmation: string) =>
	app.call(rates.load, { body: { effectiveFrom, confirmation }, files: { file } }, admin)
const loaded = async (file: File, effectiveFrom: string) => {
	const { body } = await compare(file, effectiveFrom)
	return load(file, effectiveFrom, body.confirmation ?? '')
}
const list = async (currency = 'INR') => (await app.call(rates.list, { query: { currency } }, admin)).body
const cards = async () => (await app.context.db`select id from meta_rate_cards`).length
const csv = (options?: RateCardOptions) => fileOf(rateCardCsv(options))

test('rates.list returns the built-in rates of all markets, and null for an unknown one', async () => {
	const { current, upcoming, currencies } = await list()
	assert.deepEqual([current?.effectiveFrom, current?.fileName, current?.loadedBy], ['2026-10-01', null, null])
	assert.deepEqual([current?.markets.length, upcoming, currencies], [47, [], ['INR']])
	const ratesOf = (name: string) => current?.markets.find((market) => market.name === name)?.rates
	assert.deepEqual(ratesOf('India')?.marketing, { rate: 0.8631, isComputed: false })
	assert.deepEqual(ratesOf('Poland')?.marketing, { rate: 2.71, isComputed: true })
	assert.equal(ratesOf('Qatar')?.service, null)
})

test('rates.list names India first, then the markets that accounts have sent to in 90 days, by messages', async () => {
	const { accountId } = await account(app.context)
	await app.context.db`
		insert into usage_days (account_id, day, market, category, type, is_estimate, messages)
		select ${accountId}, current_date - days, market, 'marketing', 'regular', false, messages
		from (values ('NP', 3, 5), ('AE', 60, 9), ('ZA', 91, 100), ('QA', 1, 0)) used (market, days, messages)
	`
	const { current } = await list()
	const first = current?.markets.slice(0, 4).map(({ market }) => market)
	assert.deepEqual([first, current?.markets.length], [['IN', 'AE', 'NP', 'AR'], 47])
})

test('rates.compare returns the difference and stores nothing; rates.load stores exactly what was confirmed', async () => {
	const day = inDays(60)
	const options = {
		rows: { India: ['0.8800', '0.1150', '0.1150', '2.4971', '0.1150'], Poland: ['n/a', '1', '1', 'n/a', '1'] },
	}
	const file = fileOf(rateCardWorkbook(options), 'INR rates.csv')
	const { body } = await compare(file, day)
	assert.deepEqual([body.currency, body.effectiveFrom, body.unchanged], ['INR', day, 4])
	const changeOf = (name: string, category: string) =>
		body.changes.flatMap((change) =>
			change.name === name && change.category === category ? [[change.before, change.after, change.percent]] : [],
		)
	assert.deepEqual(changeOf('India', 'marketing'), [[0.8631, 0.88, 2]])
	assert.deepEqual(changeOf('Poland', 'marketing'), [[2.71, null, null]])
	assert.deepEqual(changeOf('Qatar', 'utility'), [[null, 0.12, null]])
	assert.deepEqual(body.unknown, [{ name: 'Poland', category: 'marketing' }])
	assert.equal(await cards(), 1)

	const wrong = [
		await load(file, inDays(61), body.confirmation ?? ''),
		await load(csv(), day, body.confirmation ?? ''),
		await load(file, day, 'x'),
	]
	assert.deepEqual(
		wrong.map(({ status }) => status),
		[409, 409, 409],
	)
	assert.equal(await cards(), 1)

	const answers = await Promise.all([1, 2].map(() => load(file, day, body.confirmation ?? '')))
	assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 409])
	const { current, upcoming } = await list()
	assert.deepEqual([current?.fileName, upcoming.length], [null, 1])
	const [card] = upcoming
	assert.deepEqual([card?.effectiveFrom, card?.fileName, card?.loadedBy], [day, 'INR rates.csv', admin.name])
	assert.equal(card?.markets.find(({ market }) => market === 'IN')?.rates.marketing?.rate, 0.88)
	const actions = await app.context
		.db`select action, details, subject_id from admin_actions where action like 'rates-%'`
	assert.equal(actions.length, 1)
	assert.match(String(actions[0]?.['details']), /^INR from .+ of the file INR rates\.csv: \d+ changed$/)

	const removal = () => app.call(rates.remove, { params: { cardId: card?._id ?? '' } }, admin)
	assert.deepEqual([(await removal()).status, (await removal()).status], [200, 404])
	assert.equal((await list()).upcoming.length, 0)
})

test('rates.compare takes the day of the title, asks for it otherwise, and refuses a day more than a year ahead', async () => {
	const titled = await compare(csv({ title: `Rates effective ${new Date(inDays(30)).toDateString().slice(4)}` }))
	assert.deepEqual([titled.body.message, titled.body.effectiveFrom], [undefined, inDays(30)])
	const untitled = await compare(csv({ title: 'Rates' }))
	assert.deepEqual([untitled.body.effectiveFrom, untitled.body.confirmation], [null, null])
	const far = await compare(csv(), inDays(400))
	assert.deepEqual([far.status, far.body.message?.endsWith('is more than a year away. Check the day')], [400, true])
	assert.equal((await compare(csv(), '2027-02-30')).status, 400)
	assert.equal((await app.call(rates.compare, { body: {}, files: {} }, admin)).status, 400)
	assert.equal((await compare(fileOf('x'.repeat(3 * 1024 * 1024)))).status, 413)
	assert.equal(await cards(), 1)
})

test('a card of the built-in day replaces it; a card before the newest, or again of its day, is refused', async () => {
	assert.equal((await compare(csv(), '2026-09-30')).status, 409)
	assert.equal((await loaded(csv(), '2026-10-01')).status, 201)
	assert.equal((await list()).current?.fileName, 'inr.csv')
	const again = await compare(csv(), '2026-10-01')
	assert.deepEqual(
		[again.status, again.body.message],
		[409, 'These rates from Thursday, 1 October 2026 are already loaded'],
	)
	const other = await compare(csv({ rows: { India: ['1', '1', '1', '1', '1'] } }), '2026-10-01')
	assert.equal(other.status, 409)
	assert.match(
		String(other.body.message),
		/^Other rates from Thursday, 1 October 2026 are already loaded, from inr\.csv/,
	)
	assert.equal((await loaded(csv(), inDays(40))).status, 201)
	const earlier = await compare(csv(), inDays(39))
	assert.equal(earlier.status, 409)
	assert.match(String(earlier.body.message), /are already loaded, so rates from .+ cannot be added before them/)
	const { current } = await list()
	assert.equal((await app.call(rates.remove, { params: { cardId: current?._id ?? '' } }, admin)).status, 409)
	assert.equal((await loaded(csv({ currency: 'USD' }), '2026-10-01')).status, 201)
	assert.deepEqual((await list('USD')).currencies, ['INR', 'USD'])
	assert.deepEqual([(await list('EUR')).current, (await list('no')).currency], [null, 'INR'])
})

test('rates.summary returns India in rupees, and the change of quarter for which no card is loaded', async () => {
	const { body } = await app.call(rates.summary, {}, admin)
	assert.deepEqual(
		[body.effectiveFrom, body.rates.marketing?.rate, body.rates.service?.rate],
		['2026-10-01', 0.9, 0.12],
	)
	const { db } = app.context
	assert.equal((await summarizeRates(db, '2029-06-20')).missingFrom, '2029-07-01')
	assert.equal((await summarizeRates(db, '2026-10-05')).missingFrom, null)
	assert.equal((await summarizeRates(db, '2026-09-20')).missingFrom, null)
})
