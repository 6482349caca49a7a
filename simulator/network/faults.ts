/** Which calls a fault applies to. A field that is left out matches every call. */
export interface FaultScope {
	/** Name of the call, `messages` when left out; see `graph/routes.ts`. `*` is every call. */
	call?: string
	/** Recipient number or numbers, digits with the country code. */
	to?: string | string[]
	phone_number_id?: string
	/** How many calls it applies to before it is removed; for a list of recipients, how many of each. */
	times?: number
	/** How many calls pass before it applies. */
	skip?: number
	/** 0 to 1, default 1. */
	probability?: number
}

/** Replaces or delays the response of the call. */
export type CallFault =
	/** One of Meta's error codes. With `accepted` the message is accepted nevertheless. */
	| { kind: 'error'; code: number; status?: number; details?: string; subcode?: number; accepted?: boolean }
	/** Delays the response. With `accepted` the message is accepted first, so its webhooks can arrive earlier. */
	| { kind: 'delay'; ms: number; accepted?: boolean }
	/** Never answers. */
	| { kind: 'hang'; accepted?: boolean }
	/** Closes the connection without a response. */
	| { kind: 'drop'; accepted: boolean }
	/** A 5xx that does not say whether the message was accepted. */
	| { kind: 'server-error'; accepted: boolean; status?: number }

/** When a connection breaks, `headers` before the body of the request is read: the call does not take effect. */
type BreakPoint = 'headers' | 'request' | 'half the answer' | 'answer'

/** Harms the connection of a call, which takes effect, or is refused, as without the fault. */
export type ConnectionFault =
	/** With `silence` it stays open, and nothing is read or sent any more. After `headers` no recipient is known: `to` matches nothing. */
	| { kind: 'break'; by: 'reset' | 'half-close' | 'silence'; after: BreakPoint }
	/** An answer of this status comes before the final one. */
	| { kind: 'interim'; status: 100 | 103 }
	/** The connection is to be given up: a GOAWAY that disowns all streams but the first, or `connection: close` over HTTP/1.1. */
	| { kind: 'retire' }

/** Changes the outcome of an accepted message. */
export type MessageFault =
	| { kind: 'fail-later'; code: number; details?: string }
	/** Accepted as held for quality assessment, and delivered after `ms`, or failed with 132015 when `dropped`. */
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

export type Fault = FaultScope & (CallFault | ConnectionFault | MessageFault)

/** The call that faults are looked for. */
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

export function isConnectionFault(fault: Fault): fault is FaultScope & ConnectionFault {
	return KINDS[fault.kind] === 'connection'
}

function isAfterHeaders(fault: Fault): boolean {
	return fault.kind === 'break' && fault.after === 'headers'
}

/** The active faults. Those for a recipient are indexed by number, so that thousands of them do not slow a send. */
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

	/** How often each fault of a call or its connection was applied, since they were cleared. */
	get applied(): { fault: Fault; times: number }[] {
		return [...this.#applied].map(([fault, times]) => ({ fault, times }))
	}

	countApplied(fault: Fault): void {
		this.#applied.set(fault, (this.#applied.get(fault) ?? 0) + 1)
	}

	get isEmpty(): boolean {
		return this.#general.length === 0 && this.#byRecipient.size === 0
	}

	/** The faults that apply to this call; each of them counts it against its `times`. */
	take(call: FaultyCall): Fault[] {
		return this.#take(call, (fault) => !isAfterHeaders(fault))
	}

	/** Those that apply to a call of which only the headers have been read. */
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
