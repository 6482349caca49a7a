import { recordAdminAction, type Actor } from '#features/auth/server/service.ts'
import { indianDay, spellDay } from '#lib/dates.ts'
import { DAY_MS } from '#lib/durations.ts'
import { notFound } from '#lib/problems.ts'
import { transaction, type Db, type Sql } from '#lib/server/db.ts'
import type { UploadedFile } from '#lib/server/http/body/uploads.ts'
import { sha256 } from '#lib/server/secrets.ts'
import { isolate } from '#lib/text/bidi.ts'
import { cutTo } from '#lib/text/characters.ts'
import { MARKET_IDS, RATE_CATEGORIES, type Market, type RateCategory } from '../markets.ts'
import { problem } from '../problems.ts'
import { rateChangeNear } from '../rate-notice.ts'
import { readRateFile, type FileRate, type RateFile } from './rate-file.ts'
import * as queries from './rate-queries.ts'
import type { RateCardRow, Rates } from './rate-queries.ts'

const HOME_CURRENCY = 'INR'
/** Longest time in days until a card takes effect. A later day is a typing error. */
const MAX_DAYS_AHEAD = 366
const MAX_FILE_NAME_LENGTH = 200

/** A rate that differs between two cards, in millionths; null where a card has none. */
export interface ChangedRate {
	market: Market
	category: RateCategory
	beforeMicros: number | null
	afterMicros: number | null
}

/** A rate file compared with the newest card of its currency. */
export interface ComparedFile {
	file: RateFile
	effectiveFrom: string | null
	newest: RateCardRow | null
	changes: ChangedRate[]
	unchanged: number
	/** Markets and categories for which the file has no rate, without authentication-international. */
	unknown: { market: Market; category: RateCategory }[]
	/** Digest of the card to be stored and of the card it was compared with; null without a day. */
	confirmation: string | null
}

/** Returns the cards of a currency with their rates: the first is in effect on the day unless it is upcoming. */
export async function listCards(db: Db, currency: string, day = indianDay(Date.now())) {
	const cards = await queries.listCardsAllAccounts(db, currency, day)
	const lists = await Promise.all(
		cards.map(async (card) => ({ card, rates: await queries.ratesOfCardAllAccounts(db, card.id) })),
	)
	const isUpcoming = ({ card }: { card: RateCardRow }) => card.effectiveFrom > day
	return {
		currencies: await queries.listCurrenciesAllAccounts(db),
		current: lists.find((list) => !isUpcoming(list)) ?? null,
		upcoming: lists.filter(isUpcoming),
	}
}

/**
 * Returns the rates of a day in rupees, and the day of their card. `missingFrom` is the day of a near change of rates for
 * which no card is loaded; null otherwise.
 */
export async function summarizeRates(db: Db, day = indianDay(Date.now())) {
	const rates = await queries.getRatesAllAccounts(db, HOME_CURRENCY, day)
	const cards = await queries.listCardsAllAccounts(db, HOME_CURRENCY, day)
	const change = rateChangeNear(day)
	const isLoaded = cards.some(({ effectiveFrom }) => change !== null && effectiveFrom >= change)
	const current = cards.find(({ effectiveFrom }) => effectiveFrom <= day)
	return { rates, effectiveFrom: current?.effectiveFrom ?? null, missingFrom: isLoaded ? null : change }
}

interface GivenFile {
	upload: UploadedFile | undefined
	/** By default the day in the file's title. */
	effectiveFrom?: string | undefined
}

/** Compares a file with the newest card of its currency. Throws 400 for a bad file, 409 for a card that cannot be added. */
export async function compareFile(db: Db, { upload, effectiveFrom }: GivenFile): Promise<ComparedFile> {
	return compare(db, await readRateFile(upload), effectiveFrom)
}

/**
 * Stores a file's rates as a card, with an entry in the audit trail. Throws 409 unless `confirmation` is the digest of this
 * comparison.
 */
export async function loadFile(
	db: Db,
	given: Required<GivenFile> & { confirmation: string; actor: Actor },
): Promise<RateCardRow> {
	const { upload, effectiveFrom, confirmation, actor } = given
	const file = await readRateFile(upload)
	return transaction(db, async (sql) => {
		await queries.lockCardsAllAccounts(sql)
		const compared = await compare(sql, file, effectiveFrom)
		if (compared.confirmation !== confirmation) throw problem('rate_difference_outdated')
		const { currency, rates } = file
		const fileName = cutTo(upload?.filename ?? '', MAX_FILE_NAME_LENGTH)
		const card = { currency, effectiveFrom, fileName, uploadedBy: actor.adminId }
		const id = await queries.insertCardAllAccounts(sql, card)
		if (id === null) throw problem('rate_difference_outdated')
		await queries.insertRatesAllAccounts(sql, id, rates)
		const details = `${inWords(card)} of the file ${isolate(fileName)}: ${compared.changes.length} changed`
		await recordAdminAction(sql, actor, { action: 'rates-loaded', details })
		return { ...card, id, loadedBy: null, createdAt: new Date() }
	})
}

/** Deletes an uploaded card of a later day. Throws 404 for an unknown card, 409 for one in effect. */
export async function removeCard(db: Db, cardId: string, actor: Actor): Promise<void> {
	await transaction(db, async (sql) => {
		await queries.lockCardsAllAccounts(sql)
		const card = await queries.findCardAllAccounts(sql, cardId)
		if (!card) throw notFound('Rate card')
		if (card.fileName === null || card.effectiveFrom <= indianDay(Date.now()))
			throw problem('rate_card_fixed', { day: card.effectiveFrom })
		await queries.deleteCardAllAccounts(sql, card.id)
		const details = `${inWords(card)} of the file ${isolate(card.fileName)}`
		await recordAdminAction(sql, actor, { action: 'rates-removed', details })
	})
}

function inWords({ currency, effectiveFrom }: Pick<RateCardRow, 'currency' | 'effectiveFrom'>): string {
	return `${currency} from ${spellDay(effectiveFrom)}`
}

async function compare(sql: Sql, file: RateFile, given: string | undefined): Promise<ComparedFile> {
	const newest = (await queries.findNewestCardAllAccounts(sql, file.currency)) ?? null
	const before = newest ? await queries.ratesOfCardAllAccounts(sql, newest.id) : new Map()
	const difference = differenceOf(before, file.rates)
	const effectiveFrom = given ?? file.day
	if (effectiveFrom !== null) checkDay(effectiveFrom, newest, difference.changes.length > 0)
	const content = JSON.stringify([file.currency, effectiveFrom, newest?.id ?? null, file.rates])
	const confirmation = effectiveFrom === null ? null : sha256(content).toString('base64url')
	return { file, effectiveFrom, newest, ...difference, confirmation }
}

/** Throws unless a card of this day may be added after the newest one. The built-in card may be replaced on its own day. */
function checkDay(day: string, newest: RateCardRow | null, isDifferent: boolean): void {
	const latest = indianDay(Date.now() + MAX_DAYS_AHEAD * DAY_MS)
	if (day > latest) throw problem('rate_day_too_far', { day })
	if (!newest || day > newest.effectiveFrom) return
	if (day < newest.effectiveFrom) throw problem('rate_card_outdated', { day, newest: newest.effectiveFrom })
	if (newest.fileName === null) return
	if (!isDifferent) throw problem('rate_card_loaded', { day })
	throw problem('rate_card_differs', { day, source: isolate(newest.fileName) })
}

function differenceOf(
	before: Rates,
	rates: readonly FileRate[],
): Pick<ComparedFile, 'changes' | 'unchanged' | 'unknown'> {
	const after = new Map(rates.map(({ market, category, rateMicros }) => [`${market} ${category}`, rateMicros]))
	const changes: ChangedRate[] = []
	const unknown: ComparedFile['unknown'] = []
	let unchanged = 0
	for (const market of MARKET_IDS)
		for (const category of RATE_CATEGORIES) {
			const beforeMicros = before.get(market)?.[category]?.rateMicros ?? null
			const afterMicros = after.get(`${market} ${category}`) ?? null
			if (beforeMicros !== afterMicros) changes.push({ market, category, beforeMicros, afterMicros })
			else if (afterMicros !== null) unchanged++
			if (afterMicros === null && category !== 'authentication-international') unknown.push({ market, category })
		}
	return { changes, unchanged, unknown }
}
