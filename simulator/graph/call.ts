import type { NetworkState } from '../network-state.ts'
import type { ConnectionFault } from '../network/faults.ts'
import type { Token } from '../state/accounts.ts'

/** What the headers of an answer tell of its call. */
export interface Caller {
	version: string
	edge: string
	/** The account whose allowance the call counts against; null where the object belongs to none. */
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
	/** The origin of the request, which all URLs in the response start with. */
	origin: string
	/** What harms the connection that the answer is sent over. */
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
