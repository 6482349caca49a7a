import type { Db, AccountId } from '#lib/server/db.ts'
import { RetryLater } from '#lib/server/errors.ts'
import { findAddressAllAccounts, listNamedAllAccounts, type NamedSender, type WebhookSender } from './queries.ts'

/** Changed credentials take effect for webhooks after so long at most. */
const MAX_AGE_MS = 5000
/** After a signature mismatch, an entry older than this is read again. */
const RECHECK_AGE_MS = 1000
const MAX_ENTRIES = 10_000
/** Keys that this process has not seen are mostly invalid, so their lookups are limited to this many queries a second. */
const MAX_UNKNOWN_PER_S = 200

/** Makes the unguessable last part of an account's webhook address, which also says whose it is. */
export function webhookKey(accountId: AccountId, random: string): string {
	return `${accountId}-${random}`
}

/** Which sender a webhook is for, remembered for a few seconds: a delivery must not cost a query of its own. */
export class SenderDirectory {
	readonly #db: Db
	readonly #addresses = new Recent<Promise<WebhookSender | null>>()
	readonly #named = new Recent<NamedSender[]>()
	#window = { startedAt: -Infinity, lookups: 0 }

	constructor(db: Db) {
		this.#db = db
	}

	/** The sender of a webhook address, or null for an unknown key. */
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

	/** For a delivery whose signature did not fit: the app secret may be new. At most one query a second for an address. */
	recheckKey(key: string): Promise<WebhookSender | null> {
		return this.findByKey(key, RECHECK_AGE_MS)
	}

	/**
	 * The senders that go by these names, as `numberName` and `wabaName` make them. That nobody has a name, or no longer, is
	 * read each time: a number may have been saved since, and its first reports must not miss it. While a machine of a
	 * distributed database is down, what was read before still holds.
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
		if (++this.#window.lookups > MAX_UNKNOWN_PER_S) throw new RetryLater(1, 'Too many unknown addresses')
	}
}

export function numberName(phoneNumberId: string): string {
	return `number ${phoneNumberId}`
}

export function wabaName(wabaId: string): string {
	return `waba ${wabaId}`
}

/** Whether the sender goes by this name at present, and is not just one that did. */
export function hasNow({ isDeleted, phoneNumberId, wabaId }: NamedSender, name: string | null): boolean {
	return !isDeleted && (name === numberName(phoneNumberId) || name === wabaName(wabaId))
}

/** Late statuses of messages from a number that the account has given up still belong to it. */
function namesOf({ phoneNumberId, wabaId, formerNumbers }: NamedSender): string[] {
	return [phoneNumberId, ...formerNumbers].map(numberName).concat(wabaName(wabaId))
}

/** What was read, with when. The oldest entries make room for new ones. */
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
