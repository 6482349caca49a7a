import type { Endpoint, PartIn, ResponseIn } from '#lib/endpoint.ts'
import type { ErrorCode } from './errors.ts'

/** What the documentation says of a call: its examples are of the shapes that the contract has. */
export interface CallDocs<E extends Endpoint = Endpoint> {
	description: string
	request?: PartIn<E['body']>
	/** As a handler would answer it. */
	response: ResponseIn<E>
	/** Besides those that every call of its kind may answer. */
	errors?: readonly ErrorCode[]
}

/** Of every call of a part of the contract. */
export type DocsOf<C extends Record<string, Endpoint>> = { [K in keyof C]: CallDocs<C[K]> }
