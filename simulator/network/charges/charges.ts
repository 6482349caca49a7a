import { parsePhoneNumberFromString } from 'libphonenumber-js'
import type { Account, Phone } from '#simulator/state/accounts.ts'
import type { JournalRecord } from '#simulator/state/journal.ts'
import { dayIn } from '#simulator/state/time-zones.ts'
import type { Outcome } from '../message-life.ts'
import type { EntryPoints } from './entry-points.ts'
import type { Charge } from './pricing.ts'

/** Number of messages that Meta delivered for one phone number on one day, of one country, category and type. */
export interface Volume {
	phoneNumberId: string
	/** Day in the account's time zone, as `2026-10-01`. */
	day: string
	/** ISO code of the recipient's country; empty when unknown. */
	country: string
	category: string
	type: string
	volume: number
}

const REACTION: Charge = { type: 'free_customer_service', category: 'service', isUncounted: true }
const NORMAL = new Map<string, Charge>()

/**
 * Decides what Meta charges for each message, and counts what is delivered. A message counts at its acceptance, when its
 * outcome is drawn, so that a replay of the journal counts the same.
 */
export class Charges {
	readonly #entryPoints: EntryPoints
	readonly #volumes = new Map<string, Volume>()
	/** Number of service messages by phone number and month. */
	readonly #service = new Map<string, number>()

	constructor(entryPoints: EntryPoints) {
		this.#entryPoints = entryPoints
	}

	/** Returns the charge for a message that is sent now. */
	next(account: Account, phone: Phone, sent: { to: string; type: string; category: string }): Charge {
		if (sent.type === 'reaction') return REACTION
		const conversation = this.#entryPoints.take(phone.id, sent.to)
		if (conversation) return { type: 'free_entry_point', category: 'referral_conversion', conversation }
		if (sent.category !== 'service') return normal('regular', sent.category)
		const month = dayIn(account.billing.timezone_id, Date.now()).slice(0, 7)
		const used = this.#service.get(`${phone.id} ${month}`) ?? 0
		return normal(used < account.billing.free_service_messages ? 'free_customer_service' : 'regular', 'service')
	}

	/** Counts a message. Without a delivered or read status in its outcome, it is not delivered and not counted. */
	count(
		account: Account,
		message: { phoneNumberId: string; to: string; acceptedAt: number; charge: Charge; outcome: Outcome },
	): void {
		const { phoneNumberId, to, charge, outcome } = message
		if (charge.isUncounted) return
		if (!outcome.statuses.includes('delivered') && !outcome.statuses.includes('read')) return
		const day = dayIn(account.billing.timezone_id, message.acceptedAt)
		const { type, category } = charge
		this.#add({ phoneNumberId, day, country: countryOf(to), category, type, volume: 1 })
	}

	#add(added: Volume): void {
		const { phoneNumberId, day, country, category, type, volume } = added
		if (category === 'service') {
			const month = `${phoneNumberId} ${day.slice(0, 7)}`
			this.#service.set(month, (this.#service.get(month) ?? 0) + volume)
		}
		const key = `${phoneNumberId} ${day} ${country} ${category} ${type}`
		const known = this.#volumes.get(key)
		if (known) known.volume += volume
		else this.#volumes.set(key, added)
	}

	volumes(): Iterable<Volume> {
		return this.#volumes.values()
	}

	restore([kind, volume]: JournalRecord): void {
		if (kind === 'volume') this.#add(volume as Volume)
	}

	*snapshot(): Generator<JournalRecord> {
		for (const volume of this.#volumes.values()) yield ['volume', volume]
	}

	clear(): void {
		this.#volumes.clear()
		this.#service.clear()
	}
}

function normal(type: Charge['type'], category: string): Charge {
	const key = `${type} ${category}`
	const known = NORMAL.get(key)
	if (known) return known
	const made: Charge = { type, category }
	NORMAL.set(key, made)
	return made
}

/** Returns the ISO code of a recipient's country: of a number, or of a business-scoped user id, which begins with it. */
function countryOf(to: string): string {
	if (to.startsWith('91')) return 'IN'
	if (/^[A-Z]/.test(to)) return to.slice(0, 2)
	return parsePhoneNumberFromString(`+${to}`)?.country ?? ''
}
