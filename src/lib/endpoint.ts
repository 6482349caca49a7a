import type { ZodMiniType } from 'zod/mini'

/** Who may call: `public` anyone, `signed-in` either role, `key` a program with an API key, else only that role. */
export type Access = 'public' | 'signed-in' | 'user' | 'admin' | 'key'

/** A file in a multipart form. It needs a listed MIME type or a listed ending; without `types` any file is accepted. */
export interface FileRule {
	maxBytes: number
	/** The limit for a MIME type, at most `maxBytes`. */
	maxBytesOf?: (type: string) => number
	/** The message of the 413, from the form's fields before the file; without it the message names the limit in MB. */
	tooLarge?: (fields: Record<string, string>) => string
	types?: readonly string[]
	/** File name endings, such as `.csv`: for files that browsers report under many types. */
	endings?: readonly string[]
	/** The message of a 400 for a file of another type; without it a 415 names the type. */
	refusal?: string
}

/** Instead of a JSON shape: the endpoint answers with a file of this MIME type. */
export interface FileResponse {
	file: string
}

/**
 * `heavy` for a second or so, `long` for up to minutes, `export` for as long as its file is being read. `gathered` takes no turn:
 * its handler does what comes at the same time together, one after the other for each account.
 */
type Effort = 'heavy' | 'long' | 'export' | 'gathered'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

interface Route {
	method: Method
	/** `/api/contacts/{id}`; names in braces are keys of `params`. */
	path: string
}

interface CallShape {
	access: Access
	/** Also answers whoever has to set up a second factor first. */
	duringSetUp?: true
	/** What it does, for the description of a public API. */
	summary?: string
	/** The scope that a key must have. */
	scope?: string
	/** A scope that includes it, such as the one to write for one to read. */
	widerScope?: string
	/** Of the answer; 200 when left out. */
	status?: 201 | 202
	/** Calls a minute that one network address may make; unlimited when left out. */
	perMinute?: number
	/** What it costs where that is more than a look: then calls of an account wait for one another. */
	effort?: Effort
	params?: ZodMiniType
	query?: ZodMiniType
	/** JSON; with `files`, the text fields of a multipart form, or JSON where there is no file. */
	body?: ZodMiniType
	/** Of a body, where its shape allows for more than anybody sends. */
	maxBytes?: number
	/** Optional files of a multipart form, by field name. */
	files?: Record<string, FileRule>
	response: ZodMiniType | FileResponse
}

/** One HTTP call of the product, as a value: the server mounts it, the screens call it, tests and OpenAPI walk over it. */
export type Endpoint<E extends CallShape = CallShape> = E & Route

/** `route` is method and path: `GET /api/contacts/{id}`. */
export function endpoint<const E extends CallShape>(route: `${Method} /${string}`, shape: E): Endpoint<E> {
	const [method, path] = route.split(' ', 2) as [Method, string]
	return { method, path, ...shape }
}

/** The type that a caller passes (`in`) and the one that a handler gets (`out`). */
export type PartIn<T> = T extends ZodMiniType<unknown, infer I> ? I : undefined
export type PartOut<T> = T extends ZodMiniType<infer O> ? O : undefined
export type ResponseIn<E extends CallShape> = E['response'] extends ZodMiniType ? PartIn<E['response']> : never
export type ResponseOut<E extends CallShape> = E['response'] extends ZodMiniType ? PartOut<E['response']> : Blob

/** With an Idempotency-Key each POST of a program has its effect once, however often it is sent. */
export function isRepeatable({ access, method }: Endpoint): boolean {
	return access === 'key' && method === 'POST'
}

export function isFileResponse(response: ZodMiniType | FileResponse): response is FileResponse {
	return 'file' in response
}

/** `/api/contacts/{id}` with `{ id: '7' }` is `/api/contacts/7`. */
export function fillPath(path: string, params: Record<string, string> = {}): string {
	return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
}
