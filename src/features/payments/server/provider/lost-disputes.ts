import * as z from 'zod/mini'
import { ProviderError } from './provider.ts'
import { Paise, readAnswer, ShortText, type RazorpayClient } from './razorpay-client.ts'

/** Disputes per page, which is the API's maximum, and pages that are read at most. */
const DISPUTES_AT_ONCE = 100
const MAX_PAGES = 50
/** Milliseconds for which routine readings share one listing. */
const SHARED_MS = 10 * 60 * 1000
/** Seconds before now from which a shared listing begins at the latest: payments are read daily for 180 days. */
const SHARED_SECONDS = 181 * 24 * 60 * 60

const Disputes = z.object({
	items: z.array(
		z.object({ payment_id: ShortText, amount: Paise, amount_deducted: z.nullish(Paise), status: ShortText }),
	),
})

interface Listing {
	fromSeconds: number
	readAtMs: number
	lost: Promise<Map<string, number>>
}

/**
 * Lost disputes of all payments. The API lists them by time only, so that routine readings share one listing: one call or a
 * few for the daily readings of all payments, instead of one or more for each.
 */
export class LostDisputes {
	readonly #client: RazorpayClient
	#shared: Listing | null = null

	constructor(client: RazorpayClient) {
		this.#client = client
	}

	/** Returns the paise of lost disputes since this time by payment. A routine reading may miss those of the last ten minutes. */
	since(fromSeconds: number, isRoutine: boolean): Promise<Map<string, number>> {
		if (!isRoutine) return listLost(this.#client, fromSeconds)
		const known = this.#shared
		const readAtMs = Date.now()
		if (known && known.fromSeconds <= fromSeconds && readAtMs - known.readAtMs < SHARED_MS) return known.lost
		const earliest = Math.min(fromSeconds, Math.floor(readAtMs / 1000) - SHARED_SECONDS)
		const shared: Listing = { fromSeconds: earliest, readAtMs, lost: listLost(this.#client, earliest) }
		this.#shared = shared
		shared.lost.catch(() => {
			if (this.#shared === shared) this.#shared = null
		})
		return shared.lost
	}
}

async function listLost(client: RazorpayClient, fromSeconds: number): Promise<Map<string, number>> {
	const lost = new Map<string, number>()
	for (let page = 0; page < MAX_PAGES; page++) {
		const path = `/v1/disputes?from=${fromSeconds}&count=${DISPUTES_AT_ONCE}&skip=${page * DISPUTES_AT_ONCE}`
		const { items } = readAnswer(Disputes, await client.call('GET', path))
		for (const dispute of items.filter(({ status }) => status === 'lost')) {
			const paise = dispute.amount_deducted || dispute.amount
			lost.set(dispute.payment_id, (lost.get(dispute.payment_id) ?? 0) + paise)
		}
		if (items.length < DISPUTES_AT_ONCE) return lost
	}
	throw new ProviderError(`Razorpay has more than ${MAX_PAGES * DISPUTES_AT_ONCE} disputes since ${fromSeconds}`)
}
