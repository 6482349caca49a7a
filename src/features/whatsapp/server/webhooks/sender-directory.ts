import { problem } from '#features/whatsapp/problems.ts'
import type { Db, AccountId } from '#lib/server/db.ts'
import { findAddressAllAccounts, listNamedAllAccounts, type NamedSender, type WebhookSender } from './queries.ts'

/** Milliseconds for which a sender is cached, and so until changed credentials apply to webhooks. */
const MAX_AGE_MS = 5000
/** Age in milliseconds from which a cached sender is read again after a signature mismatch. */
const RECHECK_AGE_MS = 1000
const MAX_ENTRIES = 10_000
/** Maximum queries per second for keys that this process has not seen, most of which are invalid. */
const MAX_UNKNOWN_PER_S = 200

/** Last part of the webhook address for the operator's Meta app. Keys of accounts begin with an id, so none is this word. */
export const APP_KEY = 'app'

/** Returns the last part of an account's webhook address: the account id and a secret random text. */
export function webhookKey(accountId: AccountId, random: string): string {
	return `${accountId}-${random}`
}

/** Cache of the senders of webhooks, so that a webhook does not need a query of its own. */
export class SenderDirectory {
	readonly #db: Db
	readonly #addresses = new Recent<Promise<WebhookSender | null>>()
	readonly #named = new Recent<NamedSender[]>()
	#window = { startedAt: -Infinity, lookups: 0 }

	constructor(db: Db) {
		this.#db = db
	}

	/** Returns the sender of a webhook address; null for an unknown key. */
	findByKey(key: string, maxAgeMs = MAX_AGE_MS): Promise<WebhookSender | null> {
		const accountId = /^([1-9]\d{0,14})-/.exec(key)?.[1]
		if (!accountId) return Promise.resolve(null)
		const known = this.#addresses.get(key, maxAgeMs)
		if (known) return known
		if (!this.#addresses.get(key)) this.#allowUnknown()
		const found = findAddressAllAccounts(this.#db, { accountId: Number(accountId), whole: key }).then(
			(sender) => sender ?? null,
		)
		this.#addresses.set(key, found)
		const forget = () => {
			if (this.#addresses.get(key) === found) this.#addresses.delete(key)
		}
		found.then((sender) => sender ?? forget(), forget)
		return found
	}

	/**
	 * Returns the sender after a signature mismatch, because the app secret may be new; null for an unknown key.
	 * Queries at most once a second per address.
	 */
	recheckKey(key: string): Promise<WebhookSender | null> {
		return this.findByKey(key, RECHECK_AGE_MS)
	}

	/**
	 * Returns the senders by name (`numberName`, `wabaName`). Names without a current sender are read each time,
	 * because a number may just have been saved and its first statuses must reach it. While a node of a distributed
	 * database is down, cached senders remain valid.
	 */
	async findNamed(names: string[]): Promise<Map<string, NamedSender[]>> {
		const missing = names.filter((name) => !this.#named.get(name, MAX_AGE_MS)?.some((sender) => hasNow(sender, name)))
		const found = new Map(names.map((name) => [name, this.#named.get(name) ?? []]))
		if (missing.length === 0) return found
		try {
			const senders = await this.#listNamed(missing)
			for (const name of missing) {
				const named = senders.filter((sender) => namesOf(sender).includes(name))
				this.#named.set(name, named)
				found.set(name, named)
			}
		} catch (error) {
			if (!missing.every((name) => this.#named.get(name)?.length)) throw error
		}
		return found
	}

	#listNamed(names: string[]): Promise<NamedSender[]> {
		const idsOf = (prefix: string) =>
			names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length))
		return listNamedAllAccounts(this.#db, { phoneNumberIds: idsOf(numberName('')), wabaIds: idsOf(wabaName('')) })
	}

	#allowUnknown(): void {
		const now = performance.now()
		if (now - this.#window.startedAt >= 1000) this.#window = { startedAt: now, lookups: 0 }
		if (++this.#window.lookups > MAX_UNKNOWN_PER_S) throw problem('webhook_lookups_limited', { waitSeconds: 1 })
	}
}

export function numberName(phoneNumberId: string): string {
	return `number ${phoneNumberId}`
}

export function wabaName(wabaId: string): string {
	return `waba ${wabaId}`
}

/** Returns true when the sender currently has this number or WABA. */
export function hasNow({ isDeleted, phoneNumberId, wabaId }: NamedSender, name: string | null): boolean {
	return !isDeleted && (name === numberName(phoneNumberId) || name === wabaName(wabaId))
}

/** Returns the names of a sender, with its former numbers: late statuses of their messages belong to this sender. */
function namesOf({ phoneNumberId, wabaId, formerNumbers }: NamedSender): string[] {
	return [phoneNumberId, ...formerNumbers].map(numberName).concat(wabaName(wabaId))
}

/** Cache of values with their time of reading. Evicts the oldest entries. */
class Recent<T> {
	readonly #entries = new Map<string, { value: T; readAt: number }>()

	get(key: string, maxAgeMs = Infinity): T | undefined {
		const entry = this.#entries.get(key)
		return entry && performance.now() - entry.readAt < maxAgeMs ? entry.value : undefined
	}

	set(key: string, value: T): void {
		this.delete(key)
		this.#entries.set(key, { value, readAt: performance.now() })
		const [oldest] = this.#entries.keys()
		if (this.#entries.size > MAX_ENTRIES && oldest !== undefined) this.delete(oldest)
	}

	delete(key: string): void {
		this.#entries.delete(key)
	}
}
