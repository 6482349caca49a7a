import type { NetworkState } from '../network-state.ts'
import type { Token } from '../state/accounts.ts'

/** One Graph call, its token already checked. */
export interface Call {
	state: NetworkState
	method: string
	path: string
	query: URLSearchParams
	headers: Record<string, string | string[] | undefined>
	body: Buffer
	token: Token
	tokenText: string
	/** Where the caller reached the simulator: the base of every address that it is given. */
	origin: string
}

/** An answer that is no JSON. */
export class FileAnswer {
	readonly bytes: Buffer
	readonly type: string

	constructor(bytes: Buffer, type: string) {
		this.bytes = bytes
		this.type = type
	}
}

/** Thrown where the caller gets no answer, or one that says nothing. */
export class NoVerdict extends Error {
	readonly kind: 'hang' | 'drop' | 'server-error'
	readonly status: number

	constructor(kind: NoVerdict['kind'], status: number) {
		super(kind)
		this.kind = kind
		this.status = status
	}
}
