/** Selects the calls that a fault applies to. Without a field, the fault applies to calls with any value of it. */
export interface FaultScope {
	/**
	 * Name of the call, see `graph/routes.ts`; `*` for every call. The default is `messages`. Calls of Razorpay are named by
	 * `razorpay/api.ts`, and its webhooks are `razorpay.webhook`.
	 */
	call?: string
	/** Recipient number or numbers, digits with the country code. */
	to?: string | string[]
	phone_number_id?: string
	/**
	 * Number of calls that the fault applies to before it is removed. With a list of recipients, the number for each recipient.
	 */
	times?: number
	/** Number of matching calls to let pass first. */
	skip?: number
	/** Probability that the fault applies to a matching call: 0 to 1, default 1. */
	probability?: number
}

/** A fault that replaces or delays the response of a call. */
export type CallFault =
	/** Refuses the call with one of Meta's error codes. With `accepted` the message is accepted nevertheless. */
	| { kind: 'error'; code: number; status?: number; details?: string; subcode?: number; accepted?: boolean }
	/** Delays the response. With `accepted` the message is accepted first, so its webhooks can arrive earlier. */
	| { kind: 'delay'; ms: number; accepted?: boolean }
	/** Withholds the response for ever. */
	| { kind: 'hang'; accepted?: boolean }
	/** Closes the connection without a response. */
	| { kind: 'drop'; accepted: boolean }
	/** Answers a 5xx, which does not reveal if the message was accepted. */
	| { kind: 'server-error'; accepted: boolean; status?: number }

/** Moment at which a connection breaks. After `headers` the body of the request is not read and the call has no effect. */
type BreakPoint = 'headers' | 'request' | 'half the answer' | 'answer'

/** A fault of a call's connection. Except after `headers`, the call takes effect or is refused as without the fault. */
export type ConnectionFault =
	/**
	 * Breaks the connection. With `silence` it stays open, but nothing is read or sent any more. After `headers` no recipient
	 * is known, so `to` matches nothing.
	 */
	| { kind: 'break'; by: 'reset' | 'half-close' | 'silence'; after: BreakPoint }
	/** Sends an answer of this status before the final one. */
	| { kind: 'interim'; status: 100 | 103 }
	/**
	 * Asks the client to give up the connection: by a GOAWAY that disowns all streams but the first, or by `connection: close`
	 * over HTTP/1.1.
	 */
	| { kind: 'retire' }

/** A fault that changes the outcome of an accepted message, or of a webhook of Razorpay. */
export type MessageFault =
	| { kind: 'fail-later'; code: number; details?: string }
	/**
	 * Puts the accepted message into Meta's quality check. It is delivered after `ms`, or fails with 132015 when
	 * `dropped`.
	 */
	| { kind: 'quality-check'; ms: number; dropped?: boolean }
	/** Sends no webhook for the message. */
	| { kind: 'silent' }
	| { kind: 'read-without-delivered' }
	| { kind: 'webhook-duplicate' }
	/** Sends the statuses in reverse order. */
	| { kind: 'webhook-reorder' }
	/** Sends each status in a POST of its own. */
	| { kind: 'webhook-split' }
	| { kind: 'webhook-late'; ms: number }
	/** Sends a webhook of Razorpay with a wrong signature. */
	| { kind: 'webhook-wrongly-signed' }
	/** Sends statuses without biz_opaque_callback_data. */
	| { kind: 'webhook-without-callback-data' }
	/** Sends statuses without pricing. */
	| { kind: 'webhook-without-pricing' }

export type Fault = FaultScope & (CallFault | ConnectionFault | MessageFault)

/** The properties of a call that faults are matched with. */
interface FaultyCall {
	name: string
	phoneNumberId: string | null
	to: string | null
}

interface Armed {
	fault: Fault
	left: number
	skip: number
}

const KINDS: Record<Fault['kind'], 'call' | 'connection' | 'message'> = {
	error: 'call',
	delay: 'call',
	hang: 'call',
	drop: 'call',
	'server-error': 'call',
	break: 'connection',
	interim: 'connection',
	retire: 'connection',
	'fail-later': 'message',
	'quality-check': 'message',
	silent: 'message',
	'read-without-delivered': 'message',
	'webhook-duplicate': 'message',
	'webhook-reorder': 'message',
	'webhook-split': 'message',
	'webhook-late': 'message',
	'webhook-wrongly-signed': 'message',
	'webhook-without-callback-data': 'message',
	'webhook-without-pricing': 'message',
}

export const FAULT_KINDS: readonly string[] = Object.keys(KINDS)

export function isCallFault(fault: Fault): fault is FaultScope & CallFault {
	return KINDS[fault.kind] === 'call'
}

export function isConnectionFault(fault: Fault): fault is FaultScope & ConnectionFault {
	return KINDS[fault.kind] === 'connection'
}

function isAfterHeaders(fault: Fault): boolean {
	return fault.kind === 'break' && fault.after === 'headers'
}

/** Holds the active faults. Faults with a recipient are indexed by number, so that thousands of them do not slow a send. */
export class Faults {
	readonly #byRecipient = new Map<string, Armed[]>()
	readonly #applied = new Map<Fault, number>()
	#general: Armed[] = []

	add(fault: Fault): void {
		const left = fault.times ?? Infinity
		const skip = fault.skip ?? 0
		if (fault.to === undefined) {
			this.#general.push({ fault, left, skip })
			return
		}
		for (const to of [fault.to].flat()) {
			const number = to.replace(/\D/g, '')
			const armed = this.#byRecipient.get(number) ?? []
			armed.push({ fault, left, skip })
			this.#byRecipient.set(number, armed)
		}
	}

	clear(): void {
		this.#general = []
		this.#byRecipient.clear()
		this.#applied.clear()
	}

	/** Returns how often each fault of a call or its connection was applied since the faults were cleared. */
	get applied(): { fault: Fault; times: number }[] {
		return [...this.#applied].map(([fault, times]) => ({ fault, times }))
	}

	countApplied(fault: Fault): void {
		this.#applied.set(fault, (this.#applied.get(fault) ?? 0) + 1)
	}

	get isEmpty(): boolean {
		return this.#general.length === 0 && this.#byRecipient.size === 0
	}

	/** Returns the faults that apply to this call, and counts the call against the `times` of each. */
	take(call: FaultyCall): Fault[] {
		return this.#take(call, (fault) => !isAfterHeaders(fault))
	}

	/** Returns the faults that apply once the headers of a call have been read. */
	takeAfterHeaders(call: Omit<FaultyCall, 'to'>): Fault[] {
		return this.#take({ ...call, to: null }, isAfterHeaders)
	}

	#take(call: FaultyCall, isWanted: (fault: Fault) => boolean): Fault[] {
		if (this.isEmpty) return []
		const mine = call.to === null ? undefined : this.#byRecipient.get(call.to)
		const taken: Fault[] = []
		for (const armed of mine ? [...mine, ...this.#general] : this.#general) {
			const { fault } = armed
			if (armed.left < 1 || !isWanted(fault) || !matches(fault, call)) continue
			if (fault.kind === 'break' && taken.some(({ kind }) => kind === 'break')) continue
			if (armed.skip-- > 0) continue
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

function matches(fault: Fault, call: FaultyCall): boolean {
	const name = fault.call ?? 'messages'
	if (name !== '*' && name !== call.name) return false
	return fault.phone_number_id === undefined || fault.phone_number_id === call.phoneNumberId
}
