import type { SendEdge } from '../graph/messages/endpoints.ts'
import type { Account, Phone } from '../state/accounts.ts'
import type { Directory } from '../state/directory.ts'
import type { Journal, JournalRecord } from '../state/journal.ts'
import type { Charges } from './charges/charges.ts'
import { type Charge, chargeOf } from './charges/pricing.ts'
import type { Counters } from './counters.ts'
import type { Fault } from './faults.ts'
import {
	type AcceptedMessage,
	type Outcome,
	type LifeContext,
	MessageLife,
	NO_TWEAKS,
	type Status,
	type Tweaks,
} from './message-life.ts'
import { applyFaults, drawOutcome, failedAtOnce } from './outcome.ts'
import type { StatusPlans } from './status-plan.ts'
import type { TimeWheel } from './time-wheel.ts'
import { newWamid } from './wamid.ts'
import type { Outbox } from './webhooks/outbox.ts'

export interface Parts {
	directory: Directory
	journal: Journal
	wheel: TimeWheel
	outbox: Outbox
	counters: Counters
	charges: Charges
	plans: StatusPlans
}

export interface NewMessage {
	to: string
	type: string
	/** Category of the template (marketing, utility or authentication); service for other messages. */
	category: string
	/** The edge that took the message. */
	endpoint: SendEdge
	callback: string | null
	quickReplies: readonly string[]
	payload: unknown
}

const UNPAID = 'Message failed to send because there were one or more errors related to your payment method.'

type Reached = (status: Status, message: AcceptedMessage, phone: Phone) => void

/** Holds accepted messages and the updates that have not been sent to receivers yet. */
export class Traffic {
	/** Called for every status after its webhook is queued. */
	onStatus: Reached = () => {}
	readonly #parts: Parts
	readonly #restored = new Map<number, JournalRecord>()
	readonly #contexts = new Map<Phone, LifeContext>()
	#seq = 0
	#finished: number[] = []

	constructor(parts: Parts) {
		this.#parts = parts
	}

	/** Accepts a message. On return the message is counted and in the journal, and its statuses are scheduled. */
	accept(phone: Phone, sent: NewMessage, faults: readonly Fault[]): { id: string; isInQualityCheck: boolean } {
		const { counters, journal, plans, directory, charges } = this.#parts
		const account = directory.accountOf(phone)
		const drawn = drawOutcome(plans.of(phone.id), sent.category)
		const charge = charges.next(account, phone, sent)
		// Meta accepts a message that the account cannot pay for, and does not deliver it.
		const isUnpaid = charge.type === 'regular' && !account.billing.has_payment_method
		const { outcome, tweaks, isInQualityCheck } = applyFaults(isUnpaid ? failedAtOnce(131042, UNPAID) : drawn, faults)
		const seq = ++this.#seq
		const id = newWamid(sent.to, seq)
		const { to, callback, quickReplies } = sent
		const message = { seq, id, to, callback, charge, acceptedAt: Date.now(), quickReplies, outcome }
		charges.count(account, { ...message, phoneNumberId: phone.id })
		if (journal.directory) journal.write(['message', ...recordOf(message, phone)])
		counters.count({ to, callback, phoneNumberId: phone.id })
		counters.remember({
			id,
			to,
			type: sent.type,
			endpoint: sent.endpoint,
			phone_number_id: phone.id,
			callback_data: callback,
			accepted_at: message.acceptedAt,
			payload: sent.payload,
		})
		this.#begin(message, phone, tweaks)
		return { id, isInQualityCheck }
	}

	/**
	 * Queues a change for the account's receiver. `text` is a whole `{value, field}` as escaped JSON; a `timed` change has the
	 * time of its webhook.
	 */
	announce(account: Account, text: string, { timed }: { timed: boolean }): void {
		const seq = ++this.#seq
		this.#parts.journal.write(['change', seq, account.id, text, timed])
		this.#push({ account, text, timed, seq })
	}

	clear(): void {
		this.#restored.clear()
		this.#contexts.clear()
		this.#finished = []
	}

	restore(record: JournalRecord): void {
		const [kind, seq] = record
		if (kind === 'finished') for (const each of seq as number[]) this.#restored.delete(each)
		if (kind !== 'message' && kind !== 'unfinished' && kind !== 'change') return
		this.#seq = Math.max(this.#seq, seq as number)
		this.#restored.set(seq as number, kind === 'message' ? ['unfinished', ...record.slice(1)] : record)
		if (kind !== 'message') return
		const message = messageOf(record)
		const { to, callback, phoneNumberId } = message
		this.#parts.counters.count({ to, callback, phoneNumberId })
		const phone = this.#parts.directory.phones.get(phoneNumberId)
		if (phone) this.#parts.charges.count(this.#parts.directory.accountOf(phone), message)
	}

	snapshot(): Iterable<JournalRecord> {
		return this.#restored.values()
	}

	/** Resumes the unfinished messages and updates of a killed process. Receivers may get an update twice, as with Meta. */
	resume(): void {
		const { directory } = this.#parts
		for (const record of this.#restored.values()) {
			if (record[0] === 'change') {
				const [, seq, accountId, text, timed] = record as [string, number, string, string, boolean]
				const account = directory.accounts.get(accountId)
				if (account) this.#push({ account, text, timed, seq })
				continue
			}
			const { phoneNumberId, ...message } = messageOf(record)
			const phone = directory.phones.get(phoneNumberId)
			if (phone) this.#begin(message, phone, NO_TWEAKS)
		}
		this.#restored.clear()
	}

	#begin(message: AcceptedMessage, phone: Phone, tweaks: Tweaks): void {
		const common = this.#contextOf(phone)
		new MessageLife(message, tweaks === NO_TWEAKS ? common : { ...common, tweaks }).begin()
	}

	// Returns the context of a number's messages. All messages share it until the number's plan changes.
	#contextOf(phone: Phone): LifeContext {
		const { wheel, outbox, directory, plans } = this.#parts
		const plan = plans.of(phone.id)
		const account = directory.accountOf(phone)
		const known = this.#contexts.get(phone)
		if (known?.plan === plan && known.account === account) return known
		const made: LifeContext = {
			wheel,
			outbox,
			account,
			phone,
			plan,
			tweaks: NO_TWEAKS,
			reached: (status, message) => this.onStatus(status, message, phone),
			finished: (message) => this.#finish(message.seq),
		}
		this.#contexts.set(phone, made)
		return made
	}

	#push({ account, text, timed, seq }: { account: Account; text: string; timed: boolean; seq: number }): void {
		const acknowledged = (): void => this.#finish(seq)
		this.#parts.outbox.push({ account, phone: null, text, timed, alone: false, acknowledged })
	}

	// Writes one record for all messages that were finished by the same delivery.
	#finish(seq: number): void {
		if (!this.#parts.journal.directory) return
		if (this.#finished.push(seq) > 1) return
		queueMicrotask(() => {
			this.#parts.journal.write(['finished', this.#finished])
			this.#finished = []
		})
	}
}

function recordOf(message: AcceptedMessage, phone: Phone): unknown[] {
	const { seq, id, to, callback, charge, acceptedAt, outcome } = message
	return [seq, id, phone.id, to, callback, charge, acceptedAt, outcome]
}

function messageOf([, ...rest]: JournalRecord): AcceptedMessage & { phoneNumberId: string } {
	type Kept = [number, string, string, string, string | null, Charge | string, number, Outcome]
	const [seq, id, phoneNumberId, to, callback, charge, acceptedAt, outcome] = rest as Kept
	return { seq, id, phoneNumberId, to, callback, charge: chargeOf(charge), acceptedAt, outcome, quickReplies: [] }
}
