import type { ZodMiniType } from 'zod/mini'

/** Who may call: `public` anyone, `signed-in` either role, else only that role. */
export type Access = 'public' | 'signed-in' | 'user' | 'admin'

/**
 * A file in a multipart form. One that has neither a listed MIME type nor a listed ending is refused; without listed types, any
 * is taken.
 */
export interface FileRule {
	maxBytes: number
	/** How large a file that calls itself one of this type may be, where that is less than `maxBytes`. */
	maxBytesOf?: (type: string) => number
	/** What is said of a file larger than `maxBytes`, where the fields before it tell a lower limit that the feature holds. */
	tooLarge?: (fields: Record<string, string>) => string
	types?: readonly string[]
	/** Of names, such as `.csv`: for files that browsers have many types for. */
	endings?: readonly string[]
	/** What is said to a file of another type, as a 400; without it a 415 names the type. */
	refusal?: string
}

/** Stands where a JSON shape would, for an endpoint that answers with bytes of this MIME type. */
export interface FileReply {
	file: string
}

interface EndpointShape {
	method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
	/** `/api/contacts/{id}`; names in braces are keys of `params`. */
	path: string
	access: Access
	/** How many calls a minute one network address may make; unlimited where not said. */
	perMinute?: number
	params?: ZodMiniType
	query?: ZodMiniType
	/** JSON; with `files`, the text fields of a multipart form, or JSON where there is no file. */
	body?: ZodMiniType
	/** Optional files of a multipart form, by field name. */
	files?: Record<string, FileRule>
	response: ZodMiniType | FileReply
}

/** One HTTP call of the product, as a value: the server mounts it, the screens call it, tests and OpenAPI walk over it. */
export type Endpoint<E extends EndpointShape = EndpointShape> = E

export function endpoint<const E extends EndpointShape>(shape: E): Endpoint<E> {
	return shape
}

/** What a caller passes for a part (`in`) and what a handler gets of it (`out`). */
export type PartIn<T> = T extends ZodMiniType<unknown, infer I> ? I : undefined
export type PartOut<T> = T extends ZodMiniType<infer O> ? O : undefined
export type ReplyIn<E extends EndpointShape> = E['response'] extends ZodMiniType ? PartIn<E['response']> : never
export type ReplyOut<E extends EndpointShape> = E['response'] extends ZodMiniType ? PartOut<E['response']> : Blob

export function isFileReply(response: ZodMiniType | FileReply): response is FileReply {
	return 'file' in response
}

/** `/api/contacts/{id}` with `{ id: '7' }` is `/api/contacts/7`. */
export function fillPath(path: string, params: Record<string, string> = {}): string {
	return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
}
