import type { NetworkState } from '../network-state.ts'
import type { ConnectionFault } from '../network/faults.ts'
import type { Token } from '../state/accounts.ts'

/** Facts about a call that the headers of its answer contain. */
export interface Caller {
	version: string
	edge: string
	/** The account whose rate limit the call counts against; null for objects without an account. */
	wabaId: string | null
}

/** A Graph call whose token is valid. */
export interface Call {
	state: NetworkState
	method: string
	caller: Caller
	path: string
	query: URLSearchParams
	headers: Record<string, string | string[] | undefined>
	body: Buffer
	token: Token
	/** Scheme and host of the request; all URLs in the response start with it. */
	origin: string
	/** Faults to apply to the connection when the answer is sent. */
	connectionFaults: ConnectionFault[]
}

/** Thrown when the caller gets no response, or one that does not say whether the call took effect. */
export class NoResponse extends Error {
	readonly kind: 'hang' | 'drop' | 'server-error'
	readonly status: number

	constructor(kind: NoResponse['kind'], status: number) {
		super(kind)
		this.kind = kind
		this.status = status
	}
}
