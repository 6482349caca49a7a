import { actorOf } from '#features/auth/server/service.ts'
import { spellDay } from '#lib/dates.ts'
import type { Db } from '#lib/server/db.ts'
import { mount, type Http } from '#lib/server/http/http.ts'
import { HOME_MARKET, MARKET_IDS, marketName, RATE_CATEGORIES, type Market, type RateCategory } from '../markets.ts'
import { rates } from '../rate-contract.ts'
import { rateFromMicros } from './rate-numbers.ts'
import type { RateCardRow, Rates } from './rate-queries.ts'
import * as service from './rate-service.ts'

interface RouteContext {
	db: Db
	/** Returns the markets that accounts send to, the one with the most messages first. */
	listUsedMarkets: () => Promise<string[]>
}

/** Mounts the calls about Meta's rates. */
export function rateRoutes(http: Http, { db, listUsedMarkets }: RouteContext): void {
	mount(http, rates.list, async ({ query: { currency } }) => {
		const { currencies, current, upcoming } = await service.listCards(db, currency)
		const markets = withUsedFirst(await listUsedMarkets())
		const present = (list: RateCardWithRates) => presentList(list, markets)
		return { currency, currencies, current: current && present(current), upcoming: upcoming.map(present) }
	})

	mount(http, rates.summary, async () => {
		const summary = await service.summarizeRates(db)
		return { ...summary, rates: presentRates(summary.rates, HOME_MARKET) }
	})

	mount(http, rates.compare, async ({ body, files }) => {
		const compared = await service.compareFile(db, { ...body, upload: files['file'] })
		return presentDifference(compared)
	})

	mount(http, rates.load, async (call) => {
		const card = await service.loadFile(db, { ...call.body, upload: call.files['file'], actor: actorOf(call) })
		return { card: presentCard(card), message: `Rates from ${spellDay(card.effectiveFrom)} loaded` }
	})

	mount(http, rates.remove, async (call) => {
		await service.removeCard(db, call.params.cardId, actorOf(call))
		return { message: 'Rates removed' }
	})
}

function presentCard({ id, ...card }: RateCardRow) {
	return { ...card, _id: id }
}

/** Returns all markets: India, those in use in their order, then the others. */
function withUsedFirst(used: readonly string[]): Market[] {
	const order: readonly string[] = [HOME_MARKET, ...used, ...MARKET_IDS]
	return MARKET_IDS.toSorted((a, b) => order.indexOf(a) - order.indexOf(b))
}

interface RateCardWithRates {
	card: RateCardRow
	rates: Rates
}

function presentList({ card, rates: known }: RateCardWithRates, markets: readonly Market[]) {
	return {
		...presentCard(card),
		markets: markets.map((market) => ({ market, name: marketName(market), rates: presentRates(known, market) })),
	}
}

type PresentedRate = { rate: number; isComputed: boolean } | null

function presentRates(known: Rates, market: Market): Record<RateCategory, PresentedRate> {
	const ofMarket = known.get(market)
	const entries = RATE_CATEGORIES.map((category): [RateCategory, PresentedRate] => {
		const rate = ofMarket?.[category]
		return [category, rate ? { rate: rateFromMicros(rate.rateMicros), isComputed: rate.isComputed } : null]
	})
	return Object.fromEntries(entries) as Record<RateCategory, PresentedRate>
}

function presentDifference({ file, newest, changes, unknown, ...compared }: service.ComparedFile) {
	const { currency, title, unknownMarkets } = file
	return {
		...compared,
		currency,
		title,
		unknownMarkets,
		comparedWith: newest && presentCard(newest),
		changes: changes.map(presentChange),
		unknown: unknown.map(({ market, category }) => ({ name: marketName(market), category })),
	}
}

function presentChange({ market, category, beforeMicros, afterMicros }: service.ChangedRate) {
	return {
		market,
		category,
		name: marketName(market),
		before: beforeMicros === null ? null : rateFromMicros(beforeMicros),
		after: afterMicros === null ? null : rateFromMicros(afterMicros),
		percent: percentOf(beforeMicros, afterMicros),
	}
}

/** Returns the change in percent with one decimal; null unless both rates are known. */
function percentOf(before: number | null, after: number | null): number | null {
	return before === null || after === null ? null : Math.round(((after - before) / before) * 1000) / 10
}
