import { isChargedType } from '#features/delivery/server/message/status-update.ts'
import { MARKET_IDS, marketName, type Market } from '#features/pricing/markets.ts'
import { countedCategory } from '#features/whatsapp/rules.ts'
import { addMonths, indianDay } from '#lib/dates.ts'
import { CSV_START, safeCsvLine } from '#lib/files/csv.ts'
import { decimal, rupeesFromPaise } from '#lib/money.ts'
import { notFound } from '#lib/problems.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { offsetOf, pagesFor } from '#lib/server/db/paging.ts'
import type { AccountMargin, CategoryMargin, Margin, MarketUsage } from '../margin-contract.ts'
import * as queries from './margin-queries.ts'
import type { Days, Payer, UsageRow } from './margin-queries.ts'
import { compareUsage } from './usage-check.ts'

/** Sums of a month or of a part of it, in paise. */
interface Sums {
	messages: number
	free: number
	estimated: number
	unrated: number
	micros: number
	revenuePaise: number
}

/** An account's user with the sums of its month. */
export interface PayerSums {
	payer: Payer
	sums: Sums
}

/** Returns the days of a month in India; of the current one without a month. */
export function daysOf(month: string = indianDay(Date.now()).slice(0, 7)): Days & { month: string } {
	return { month, first: `${month}-01`, end: `${addMonths(month, 1)}-01` }
}

/** Returns the accounts with usage or revenue in these days, by rising margin. */
export async function listMargins(sql: Sql, days: Days): Promise<PayerSums[]> {
	const [usage, revenue, payers] = await Promise.all([
		queries.listUsageAllAccounts(sql, days),
		queries.listRevenueAllAccounts(sql, days),
		queries.listPayersAllAccounts(sql),
	])
	const byAccount = new Map<AccountId, Sums>()
	for (const row of usage) addUsage(sumsOf(byAccount, row.accountId), row)
	for (const { accountId, paise } of revenue) sumsOf(byAccount, accountId).revenuePaise += paise
	const found = payers.flatMap((payer) => {
		const sums = byAccount.get(payer.accountId)
		return sums ? [{ payer, sums }] : []
	})
	return found.toSorted((a, b) => marginPaise(a.sums) - marginPaise(b.sums) || a.payer.id - b.payer.id)
}

/** Returns the sums of all accounts. */
export function totalOf(rows: readonly PayerSums[]): Margin {
	const total = noSums()
	for (const { sums } of rows) for (const key of Object.keys(total) as (keyof Sums)[]) total[key] += sums[key]
	return presentSums(total)
}

/** Returns the page's rows of accounts whose name or email contains the text. */
export function pageOf(
	rows: readonly PayerSums[],
	{ search, page, limit }: { search: string; page: number; limit: number },
): { accounts: AccountMargin[]; page: number; pages: number } {
	const sought = search.toLowerCase()
	const found = rows.filter(({ payer: { name, email } }) => `${name}\n${email}`.toLowerCase().includes(sought))
	const shown = found.slice(offsetOf({ page, limit }), page * limit)
	return { accounts: shown.map(presentAccount), page, pages: pagesFor(found.length, limit) }
}

/** Returns a user's month by category and market, the most messages first. Throws a 404 for admins and unknown users. */
export async function getAccountMargin(sql: Sql, userId: string, days: Days) {
	const payer = await queries.findPayerAllAccounts(sql, userId)
	if (!payer) throw notFound('User')
	const [usage, revenue, check] = await Promise.all([
		queries.listUsageOf(sql, payer.accountId, days),
		queries.listRevenueByCategory(sql, payer.accountId, days),
		compareUsage(sql, payer.accountId, { days, nameOf: categoryName }),
	])
	const total = noSums()
	const byCategory = new Map<string, Sums>()
	const byMarket = new Map<string, Sums>()
	for (const row of usage) {
		addUsage(total, row)
		addUsage(sumsOf(byCategory, countedCategory(row.category)), row)
		addUsage(sumsOf(byMarket, row.market), row)
	}
	for (const { category, paise } of revenue) {
		total.revenuePaise += paise
		sumsOf(byCategory, category).revenuePaise += paise
	}
	return {
		check,
		account: presentAccount({ payer, sums: total }),
		categories: inOrder(byCategory).map(([category, sums]): CategoryMargin => ({
			category,
			name: categoryName(category),
			...presentSums(sums),
		})),
		markets: inOrder(byMarket).map(([market, sums]): MarketUsage => {
			const { revenue: _revenue, margin: _margin, ...figures } = presentSums(sums)
			return { market, name: nameOfMarket(market), ...figures }
		}),
	}
}

const HEADER = [
	'Name',
	'Email',
	'Messages',
	'Free of charge',
	'Estimated',
	'Without a known rate',
	'Revenue (INR)',
	'WhatsApp’s charge (INR)',
	'Margin (INR)',
]

/** Returns the accounts as CSV. Money has two decimals. */
export function marginsCsv(rows: readonly PayerSums[]): string {
	const lines = rows.map(({ payer, sums }) =>
		safeCsvLine([
			payer.name,
			payer.email,
			sums.messages,
			sums.free,
			sums.estimated,
			sums.unrated,
			{ verbatim: decimal(sums.revenuePaise) },
			{ verbatim: decimal(costPaise(sums)) },
			{ verbatim: decimal(marginPaise(sums)) },
		]),
	)
	return CSV_START + [safeCsvLine(HEADER), ...lines].join('')
}

/** Adds a row of usage. A type that WhatsApp has added, whose charge is unknown, counts as without a rate. */
function addUsage(sums: Sums, { type, isEstimate, messages, rated, micros }: UsageRow): void {
	const isCharged = isChargedType(type)
	sums.messages += messages
	if (isEstimate) sums.estimated += messages
	if (isCharged === false) sums.free += messages
	if (isCharged === null) sums.unrated += messages
	if (!isCharged) return
	sums.unrated += messages - rated
	sums.micros += micros
}

function noSums(): Sums {
	return { messages: 0, free: 0, estimated: 0, unrated: 0, micros: 0, revenuePaise: 0 }
}

function sumsOf<Key>(all: Map<Key, Sums>, key: Key): Sums {
	const known = all.get(key) ?? noSums()
	all.set(key, known)
	return known
}

function inOrder(all: ReadonlyMap<string, Sums>): [string, Sums][] {
	return [...all].toSorted(([a, of], [b, to]) => to.messages - of.messages || (a < b ? -1 : 1))
}

/** Returns the cost in paise. A paisa has 10,000 micros. */
function costPaise({ micros }: Sums): number {
	return Math.round(micros / 10_000)
}

function marginPaise(sums: Sums): number {
	return sums.revenuePaise - costPaise(sums)
}

function presentSums(sums: Sums): Margin {
	const { messages, free, estimated, unrated, revenuePaise } = sums
	return {
		messages,
		free,
		estimated,
		unrated,
		cost: rupeesFromPaise(costPaise(sums)),
		revenue: rupeesFromPaise(revenuePaise),
		margin: rupeesFromPaise(marginPaise(sums)),
	}
}

function presentAccount({ payer: { id, name, email }, sums }: PayerSums): AccountMargin {
	return { _id: String(id), name, email, ...presentSums(sums) }
}

const CATEGORY_NAMES: Record<string, string> = {
	marketing: 'Marketing',
	utility: 'Utility',
	authentication: 'Authentication',
	'authentication-international': 'Authentication, international',
	service: 'Replies',
	referral_conversion: 'Chats from ads',
}

/** Returns the name of a category. A category that WhatsApp has added is named by the words of its code. */
function categoryName(category: string): string {
	return CATEGORY_NAMES[category] ?? category.replaceAll('_', ' ')
}

function nameOfMarket(market: string): string {
	const known = MARKET_IDS.find((id): id is Market => id === market)
	return known ? marketName(known) : 'Unknown country'
}
