/** Which calls a fault applies to. A field that is left out matches every call. */
export interface FaultScope {
	/** Name of the call, `messages` when left out; see `graph/routes.ts`. `*` is every call. */
	call?: string
	/** Recipient number or numbers, digits with the country code. */
	to?: string | string[]
	phone_number_id?: string
	/** How many calls it applies to before it is removed; for a list of recipients, how many of each. */
	times?: number
	/** 0 to 1, default 1. */
	probability?: number
}

/** What the caller is given instead of the plain answer. */
export type CallFault =
	/** One of Meta's codes. With `accepted` the message is taken all the same. */
	| { kind: 'error'; code: number; status?: number; details?: string; subcode?: number; accepted?: boolean }
	/** Answers late. With `accepted` the message is taken first, so its webhooks may overtake the answer. */
	| { kind: 'delay'; ms: number; accepted?: boolean }
	/** Never answers. */
	| { kind: 'hang'; accepted?: boolean }
	/** Cuts the connection without an answer. */
	| { kind: 'drop'; accepted: boolean }
	/** A 5xx that does not say whether the message was taken. */
	| { kind: 'server-error'; accepted: boolean; status?: number }

/** What becomes of a message that was accepted. */
export type MessageFault =
	| { kind: 'fail-later'; code: number; details?: string }
	/** Answered as held for quality assessment; let go after `ms`, or dropped with 132015. */
	| { kind: 'held'; ms: number; dropped?: boolean }
	/** No webhook ever comes. */
	| { kind: 'silent' }
	| { kind: 'read-without-delivered' }
	| { kind: 'webhook-duplicate' }
	/** The last status first. */
	| { kind: 'webhook-reorder' }
	/** Each status in a POST of its own. */
	| { kind: 'webhook-split' }
	| { kind: 'webhook-late'; ms: number }
	/** Statuses lack biz_opaque_callback_data. */
	| { kind: 'webhook-without-callback-data' }

export type Fault = FaultScope & (CallFault | MessageFault)

interface Armed {
	fault: Fault
	left: number
}

const KINDS: Record<Fault['kind'], 'call' | 'message'> = {
	error: 'call',
	delay: 'call',
	hang: 'call',
	drop: 'call',
	'server-error': 'call',
	'fail-later': 'message',
	held: 'message',
	silent: 'message',
	'read-without-delivered': 'message',
	'webhook-duplicate': 'message',
	'webhook-reorder': 'message',
	'webhook-split': 'message',
	'webhook-late': 'message',
	'webhook-without-callback-data': 'message',
}

export const FAULT_KINDS: readonly string[] = Object.keys(KINDS)

export function isCallFault(fault: Fault): fault is FaultScope & CallFault {
	return KINDS[fault.kind] === 'call'
}

/** Faults on command. Those for one recipient are found by number, so ten thousand of them cost a send nothing. */
export class Faults {
	readonly #byRecipient = new Map<string, Armed[]>()
	#general: Armed[] = []

	add(fault: Fault): void {
		const left = fault.times ?? Infinity
		if (fault.to === undefined) {
			this.#general.push({ fault, left })
			return
		}
		for (const to of [fault.to].flat()) {
			const number = to.replace(/\D/g, '')
			const armed = this.#byRecipient.get(number) ?? []
			armed.push({ fault, left })
			this.#byRecipient.set(number, armed)
		}
	}

	clear(): void {
		this.#general = []
		this.#byRecipient.clear()
	}

	get empty(): boolean {
		return this.#general.length === 0 && this.#byRecipient.size === 0
	}

	/** The faults that apply to this call; each of them counts it against its `times`. */
	take(call: { name: string; phoneNumberId: string | null; to: string | null }): Fault[] {
		if (this.empty) return []
		const mine = call.to === null ? undefined : this.#byRecipient.get(call.to)
		const taken: Fault[] = []
		for (const armed of mine ? [...mine, ...this.#general] : this.#general) {
			const { fault } = armed
			if (armed.left < 1 || !matches(fault, call)) continue
			if (fault.probability !== undefined && Math.random() >= fault.probability) continue
			armed.left--
			taken.push(fault)
		}
		if (taken.length > 0) this.#removeSpent(call.to)
		return taken
	}

	#removeSpent(to: string | null): void {
		this.#general = this.#general.filter((armed) => armed.left > 0)
		const mine = to === null ? undefined : this.#byRecipient.get(to)?.filter((armed) => armed.left > 0)
		if (to === null || !mine) return
		if (mine.length > 0) this.#byRecipient.set(to, mine)
		else this.#byRecipient.delete(to)
	}
}

function matches(fault: Fault, call: { name: string; phoneNumberId: string | null }): boolean {
	const name = fault.call ?? 'messages'
	if (name !== '*' && name !== call.name) return false
	return fault.phone_number_id === undefined || fault.phone_number_id === call.phoneNumberId
}
