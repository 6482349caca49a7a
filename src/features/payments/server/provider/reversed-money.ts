import * as z from 'zod/mini'
import { HOUR_MS } from '#lib/durations.ts'
import { Paise, readAnswer, ShortText, type RazorpayClient } from './razorpay-client.ts'

/** Items per page, which is the API's maximum, and pages that are read at most. */
const ITEMS_AT_ONCE = 100
const MAX_PAGES = 50
/** Milliseconds for which routine readings share one listing. */
const SHARED_MS = HOUR_MS
/** Seconds before now from which a shared listing begins at the latest: payments are read daily for 180 days. */
const SHARED_SECONDS = 181 * 24 * 60 * 60

const Items = z.object({
	items: z.array(
		z.object({
			id: ShortText,
			payment_id: ShortText,
			amount: Paise,
			amount_deducted: z.nullish(Paise),
			status: z.nullish(ShortText),
		}),
	),
})

/** Paise by payment; null when the API has more items than are read. */
type Sums = Map<string, number> | null

interface Listing {
	fromSeconds: number
	readAtMs: number
	sums: Promise<Sums>
}

/**
 * Lost disputes or refunds of all payments. The API lists both by time. Routine readings share one listing, so that the daily
 * readings of all payments cost a few calls instead of one or more each.
 */
export class ReversedMoney {
	readonly #client: RazorpayClient
	readonly #kind: 'disputes' | 'refunds'
	#shared: Listing | null = null

	constructor(client: RazorpayClient, kind: 'disputes' | 'refunds') {
		this.#client = client
		this.#kind = kind
	}

	/** Returns the paise since this time by payment. A routine reading may miss those of the last hour. */
	since(fromSeconds: number, isRoutine: boolean): Promise<Sums> {
		const list = (from: number) => listSums(this.#client, this.#kind, from)
		if (!isRoutine) return list(fromSeconds)
		const known = this.#shared
		const readAtMs = Date.now()
		if (known && known.fromSeconds <= fromSeconds && readAtMs - known.readAtMs < SHARED_MS) return known.sums
		const earliest = Math.min(fromSeconds, Math.floor(readAtMs / 1000) - SHARED_SECONDS)
		const shared: Listing = { fromSeconds: earliest, readAtMs, sums: list(earliest) }
		this.#shared = shared
		shared.sums.catch(() => {
			if (this.#shared === shared) this.#shared = null
		})
		return shared.sums
	}
}

async function listSums(client: RazorpayClient, kind: 'disputes' | 'refunds', fromSeconds: number): Promise<Sums> {
	// Items by id, so that none counts twice: an item that is made meanwhile moves the last one of a page onto the next page.
	const counted = new Map<string, z.output<typeof Items>['items'][number]>()
	for (let page = 0; page < MAX_PAGES; page++) {
		const path = `/v1/${kind}?from=${fromSeconds}&count=${ITEMS_AT_ONCE}&skip=${page * ITEMS_AT_ONCE}`
		const { items } = readAnswer(Items, await client.call('GET', path))
		for (const item of items) if (kind === 'refunds' || item.status === 'lost') counted.set(item.id, item)
		if (items.length < ITEMS_AT_ONCE) return sumOf(counted.values())
	}
	return null
}

function sumOf(items: Iterable<z.output<typeof Items>['items'][number]>): Map<string, number> {
	const sums = new Map<string, number>()
	for (const { payment_id: id, amount, amount_deducted: deducted } of items)
		sums.set(id, (sums.get(id) ?? 0) + (deducted || amount))
	return sums
}
