import type { ZodMiniType } from 'zod/mini'

/** Seats of a user within the account. Each may call what those before it may call. */
export const SEATS = ['agent', 'template-agent', 'manager', 'owner'] as const
export type Seat = (typeof SEATS)[number]

/**
 * Access of an endpoint. `public`: any caller. `key`: a program with an API key. `signed-in`: any person, about themselves. A
 * seat: users with that seat or a later one; with `admin-or-`, admins too.
 */
export type Access = 'public' | 'key' | 'signed-in' | 'admin' | Seat | `admin-or-${Seat}`

/** Returns true when a signed-in person with this role and seat may call an endpoint with this access. */
export function admits(access: Access, { role, seat }: { role: 'admin' | 'user'; seat: Seat }): boolean {
	if (access === 'public' || access === 'signed-in') return true
	if (role === 'admin') return access.startsWith('admin')
	const least = SEATS.indexOf(access.replace('admin-or-', '') as Seat)
	return least >= 0 && least <= SEATS.indexOf(seat)
}

/** A file in a multipart form. It needs a listed MIME type or extension; without `types` any file is accepted. */
export interface FileRule {
	maxBytes: number
	/** Returns the limit of a MIME type in bytes, at most `maxBytes`. */
	maxBytesOf?: (type: string) => number
	/**
	 * Returns the message of the 413 from the form fields before the file; by default the message names the limit in MB.
	 */
	tooLarge?: (fields: Record<string, string>) => string
	types?: readonly string[]
	/** File extensions such as `.csv`, for files that browsers report under many types. */
	endings?: readonly string[]
	/** Message of a 400 for a file of another type; by default a 415 names the type. */
	refusal?: string
}

/** Response that is a file of this MIME type instead of JSON. */
export interface FileResponse {
	file: string
}

/**
 * Cost of a call. `heavy` takes about a second, `long` up to minutes, `export` as long as its file is read. `gathered` takes
 * no permit, because its handler combines the concurrent calls of an account into consecutive runs.
 */
type Effort = 'heavy' | 'long' | 'export' | 'gathered'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

interface Route {
	method: Method
	/** Path such as `/api/contacts/{id}`; names in braces are keys of `params`. */
	path: string
}

interface CallShape {
	access: Access
	/** Also allowed before a required second factor is set up. */
	duringSetUp?: true
	/** Title of the call in the public API documentation. */
	summary?: string
	/** Description of the call in the public API documentation, in Markdown. */
	description?: string
	/** Codes of refusals that this call may return, besides those that every call of its kind may return. */
	errors?: readonly string[]
	/** Scope that the API key needs. */
	scope?: string
	/** Wider scope that includes `scope`, such as write for read. */
	widerScope?: string
	/** Status of the answer; 200 by default. */
	status?: 201 | 202
	/** Calls a minute per network address; unlimited by default. */
	perMinute?: number
	/** Cost of an expensive call; expensive calls of one account queue. */
	effort?: Effort
	params?: ZodMiniType
	query?: ZodMiniType
	/** JSON body; with `files`, the text fields of a multipart form, or JSON when there is no file. */
	body?: ZodMiniType
	/** Maximum size of the body in bytes, when its schema allows more than any real body has. */
	maxBytes?: number
	/** Optional files of a multipart form, by field name. */
	files?: Record<string, FileRule>
	response: ZodMiniType | FileResponse
}

/** One HTTP call as a value: the server registers it, screens call it, tests and OpenAPI iterate over all. */
export type Endpoint<E extends CallShape = CallShape> = E & Route

/** Returns an endpoint; `route` is method and path, such as `GET /api/contacts/{id}`. */
export function endpoint<const E extends CallShape>(route: `${Method} /${string}`, shape: E): Endpoint<E> {
	const [method, path] = route.split(' ', 2) as [Method, string]
	return { method, path, ...shape }
}

/** The type that a caller passes (`in`) and the type that a handler receives (`out`). */
export type PartIn<T> = T extends ZodMiniType<unknown, infer I> ? I : undefined
export type PartOut<T> = T extends ZodMiniType<infer O> ? O : undefined
export type ResponseIn<E extends CallShape> = E['response'] extends ZodMiniType ? PartIn<E['response']> : never
export type ResponseOut<E extends CallShape> = E['response'] extends ZodMiniType ? PartOut<E['response']> : Blob

/** Returns true for idempotent requests: a POST of a program takes effect once per Idempotency-Key. */
export function isIdempotent({ access, method }: Endpoint): boolean {
	return access === 'key' && method === 'POST'
}

export function isFileResponse(response: ZodMiniType | FileResponse): response is FileResponse {
	return 'file' in response
}

/** Fills `/api/contacts/{id}` with `{ id: '7' }` to `/api/contacts/7`. */
export function fillPath(path: string, params: Record<string, string> = {}): string {
	return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
}
