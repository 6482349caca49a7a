import type { Endpoint, PartIn, ResponseIn } from '#lib/endpoint.ts'
import type { ErrorCode } from './errors.ts'

/** Documentation of a call. The examples have the types of the contract. */
export interface CallDocs<E extends Endpoint = Endpoint> {
	description: string
	request?: PartIn<E['body']>
	/** An answer as a handler returns it. */
	response: ResponseIn<E>
	/** Errors in addition to those of every call of its kind. */
	errors?: readonly ErrorCode[]
}

/** Documentation of every call of a contract. */
export type DocsOf<C extends Record<string, Endpoint>> = { [K in keyof C]: CallDocs<C[K]> }
