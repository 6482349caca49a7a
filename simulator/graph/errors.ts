import { randomBytes } from 'node:crypto'
import { kindOf } from '../network/error-codes.ts'

interface ErrorParts {
	details?: string
	message?: string
	subcode?: number
	status?: number
	type?: string
	userTitle?: string
	userMessage?: string
}

/** An error of the Graph API, which becomes the response of the call. */
export class GraphError extends Error {
	readonly code: number
	readonly status: number
	readonly parts: ErrorParts
	/** Id by which Meta's support finds the call. */
	readonly traceId: string = `A${randomBytes(16).toString('base64url')}`

	constructor(code: number, parts: ErrorParts = {}) {
		super(parts.message ?? `(#${code}) ${kindOf(code).title}`)
		this.code = code
		this.status = parts.status ?? kindOf(code).status
		this.parts = parts
	}

	body(): Record<string, unknown> {
		const { details, subcode, userTitle, userMessage } = this.parts
		const isTransient = this.status === 503 ? true : userTitle === undefined ? undefined : false
		return {
			error: {
				message: this.message,
				type: this.parts.type ?? 'OAuthException',
				code: this.code,
				...(details === undefined ? {} : { error_data: { messaging_product: 'whatsapp', details } }),
				...(subcode === undefined ? {} : { error_subcode: subcode }),
				...(isTransient === undefined ? {} : { is_transient: isTransient }),
				...(userTitle === undefined ? {} : { error_user_title: userTitle }),
				...(userMessage === undefined ? {} : { error_user_msg: userMessage }),
				fbtrace_id: this.traceId,
			},
		}
	}
}

/**
 * Returns the error for an object that does not exist or that the token has no access to: Meta does not distinguish the two.
 */
export function unknownObject(method: string, id: string): GraphError {
	const verb = method === 'GET' ? 'get' : method === 'DELETE' ? 'delete' : 'post'
	return new GraphError(100, {
		message:
			`Unsupported ${verb} request. Object with ID '${id}' does not exist, cannot be loaded due to missing ` +
			'permissions, or does not support this operation. Please read the Graph API documentation at ' +
			'https://developers.facebook.com/docs/graph-api',
		subcode: 33,
		type: 'GraphMethodException',
	})
}

export function unknownPath(path: string): GraphError {
	return new GraphError(2500, { message: `Unknown path components: /${path}` })
}

/** Returns the error for an unknown field or an unknown edge: the Graph API does not distinguish the two. */
export function unknownField(name: string, node: string): GraphError {
	return invalidParam(`Tried accessing nonexisting field (${name}) on node type (${node})`)
}

/** Returns the error for an invalid parameter in the Graph API's words. */
export function invalidParam(text: string): GraphError {
	return new GraphError(100, { message: `(#100) ${text}` })
}

export function notOneOf(name: string, allowed: readonly string[], got: unknown): GraphError {
	return invalidParam(`Param ${name} must be one of {${allowed.join(', ')}} - got ${JSON.stringify(got)}.`)
}

export function missingParam(details: string): GraphError {
	return new GraphError(131008, { details })
}

export function wrongValue(details: string): GraphError {
	return new GraphError(131009, { details })
}
