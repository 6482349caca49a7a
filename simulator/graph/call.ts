import type { NetworkState } from '../network-state.ts'
import type { Token } from '../state/accounts.ts'

/** A Graph call whose token is valid. */
export interface Call {
	state: NetworkState
	method: string
	path: string
	query: URLSearchParams
	headers: Record<string, string | string[] | undefined>
	body: Buffer
	token: Token
	tokenText: string
	/** The origin of the request, which all URLs in the response start with. */
	origin: string
}

/** A response that is not JSON. */
export class FileAnswer {
	readonly bytes: Buffer
	readonly type: string

	constructor(bytes: Buffer, type: string) {
		this.bytes = bytes
		this.type = type
	}
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
