import type { ZodMiniCatch, ZodMiniObject, ZodMiniType } from 'zod/mini'
import { fillPath, isFileResponse, type Endpoint, type PartIn, type ResponseOut } from '#lib/endpoint.ts'
import { newRequestId } from '#lib/request-id.ts'
import { checkConnection } from './connection.ts'
import { takeEarly } from './early-calls.ts'
import { expireSession, readToken } from './session.ts'

/**
 * Error of a failed call. Status 0 means no answer; `fields` are messages by field name; `requestId` finds the call in
 * the logs of server and proxy.
 */
export class ApiError extends Error {
	readonly status: number
	readonly fields: Record<string, string>
	/** Body of the answer; undefined when it is not JSON. */
	readonly details: Record<string, unknown> | undefined
	readonly requestId: string | undefined

	constructor(
		status: number,
		message: string,
		{ details, requestId }: { details?: Record<string, unknown>; requestId?: string } = {},
	) {
		super(message)
		this.name = 'ApiError'
		this.status = status
		this.fields = (details?.['fields'] ?? {}) as Record<string, string>
		this.details = details
		this.requestId = requestId
	}
}

type Part<E, Name extends string> = E extends { readonly [N in Name]: infer T } ? PartIn<T> : never
/** Keys with a default (page, limit, search) are optional. */
type QueryPart<E> = E extends { query: infer Q extends ZodMiniObject }
	? Omit<PartIn<Q>, CaughtKeys<Q>> & { [K in CaughtKeys<Q>]?: string | number }
	: never
type CaughtKeys<Q> =
	Q extends ZodMiniObject<infer Shape>
		? { [K in keyof Shape]: Shape[K] extends ZodMiniCatch ? K : never }[keyof Shape] & string
		: never
type Given<Name extends string, T> = [T] extends [never]
	? unknown
	: Record<string, never> extends T
		? { [N in Name]?: T }
		: { [N in Name]: T }
type FileNames<E> = E extends { files: infer F } ? keyof F : never

/** A file response is a `File`, which includes its name. */
export type ResponseOf<E extends Endpoint> = E['response'] extends ZodMiniType ? ResponseOut<E> : File

/** The parts that the endpoint declares, and no others. */
export type Args<E extends Endpoint> = Given<'params', Part<E, 'params'>> &
	Given<'query', QueryPart<E>> &
	Given<'body', Part<E, 'body'>> &
	Given<'files', { [N in FileNames<E>]?: Blob | null }> & { signal?: AbortSignal; transport?: Transport }

/** Sends a request: `fetch` by default, or a function that reports upload progress. */
export type Transport = (url: string, request: RequestInit) => Promise<Response>

/** `args` is optional when the endpoint needs none. */
export type ArgList<E extends Endpoint> = Record<string, never> extends Args<E> ? [args?: Args<E>] : [args: Args<E>]

interface Parts {
	params?: Record<string, string>
	query?: Record<string, string | number | boolean | null | undefined>
	body?: object
	files?: Record<string, Blob | null | undefined>
	signal?: AbortSignal
	transport?: Transport
}

/** Calls `endpoint`. Throws only ApiError, except when `signal` aborts. */
export async function call<E extends Endpoint>(endpoint: E, ...[args]: ArgList<E>): Promise<ResponseOf<E>> {
	const parts: Parts = args ?? {}
	// The id is short, because users read it to support on the phone.
	const requestId = newRequestId(2)
	const response = await send(endpoint, parts, requestId)
	if (!response.ok) {
		const error = await errorFrom(response, requestId)
		const { setUp } = error.details ?? {}
		if (typeof setUp === 'string' && location.pathname !== setUp) location.replace(setUp)
		throw error
	}
	const content = isFileResponse(endpoint.response) ? fileFrom(response) : response.json()
	// The only cast: the server checks each response against the same schema.
	return (await content.catch((error: unknown) => unanswered(error, parts, requestId))) as ResponseOf<E>
}

/** Timeout of GET calls in milliseconds. Calls that save or download may take long and have none. */
const READ_TIMEOUT_MS = 30_000

/** Throws the ApiError of a request without an answer, or `error` itself when the caller aborted. */
function unanswered(error: unknown, { signal }: Parts, requestId: string): never {
	if (signal?.aborted) throw error
	void checkConnection()
	throw new ApiError(0, 'The server cannot be reached. Please check your connection.', { requestId })
}

async function send(endpoint: Endpoint, parts: Parts, requestId: string): Promise<Response> {
	const { params, query, body, files, transport = fetch } = parts
	const headers: Record<string, string> = { 'x-request-id': requestId }
	const token = endpoint.access === 'public' ? null : readToken()
	if (endpoint.access !== 'public') {
		if (!token) {
			expireSession(null)
			throw new ApiError(401, 'No authentication token found')
		}
		headers['authorization'] = `Bearer ${token}`
	}
	if (body && !endpoint.files) headers['content-type'] = 'application/json'
	const content = endpoint.files ? formOf(body, files) : body && JSON.stringify(body)
	const url = fillPath(endpoint.path, params) + searchOf(query)
	const request = { method: endpoint.method, headers, body: content, signal: signalFor(endpoint, parts) }
	const early = endpoint.method === 'GET' && token ? takeEarly(url, token) : undefined
	const response = await (early ?? transport(url, request)).catch((error: unknown) =>
		unanswered(error, parts, requestId),
	)
	if (response.status === 401 && endpoint.access !== 'public') expireSession(token)
	if (GATEWAY_ERRORS.includes(response.status)) void checkConnection()
	return response
}

function signalFor({ method, response }: Endpoint, { signal }: Parts): AbortSignal | undefined {
	if (method !== 'GET' || isFileResponse(response)) return signal
	const timeout = AbortSignal.timeout(READ_TIMEOUT_MS)
	return signal ? AbortSignal.any([signal, timeout]) : timeout
}

/** Statuses that a proxy returns while its server is down. */
export const GATEWAY_ERRORS = [502, 503, 504]

function searchOf(query: Parts['query'] = {}): string {
	const search = new URLSearchParams()
	for (const [name, value] of Object.entries(query))
		if (value !== undefined && value !== null && value !== '') search.set(name, String(value))
	return search.size > 0 ? `?${search}` : ''
}

function formOf(body: Parts['body'] = {}, files: Parts['files'] = {}): FormData {
	const form = new FormData()
	for (const [name, value] of Object.entries(body) as [string, unknown][])
		if (value !== undefined && value !== null) form.set(name, typeof value === 'string' ? value : JSON.stringify(value))
	// Appends files last, so that the server has the text fields when the first file arrives.
	for (const [name, file] of Object.entries(files)) if (file) form.set(name, file)
	return form
}

async function errorFrom(response: Response, sentId: string): Promise<ApiError> {
	// A server that does not trust its proxy creates its own id.
	const requestId = response.headers.get('x-request-id') ?? sentId
	const text = await response.text().catch(() => '')
	try {
		const details = JSON.parse(text) as Record<string, unknown>
		const { message, error } = details
		const shown = typeof message === 'string' ? message : typeof error === 'string' ? error : ''
		return new ApiError(response.status, shown, { details, requestId })
	} catch {
		return new ApiError(response.status, '', { requestId })
	}
}

async function fileFrom(response: Response): Promise<File> {
	const disposition = response.headers.get('content-disposition') ?? ''
	const plain = /filename="?([^";]+)"?/i.exec(disposition)?.[1]
	const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1]
	const bytes = await response.blob()
	return new File([bytes], encoded ? decodeURIComponent(encoded) : (plain ?? 'download'), { type: bytes.type })
}

/** Returns the server's message, or `fallback` without one. */
export function messageOf(error: unknown, fallback: string): string {
	const isAnswered = error instanceof ApiError && error.status > 0
	return isAnswered && error.message ? error.message : fallback
}

/** Returns the request id for support to find the failed call in the logs; undefined for refusals and other errors. */
export function referenceOf(error: unknown): string | undefined {
	const isFault = error instanceof ApiError && (error.status === 0 || error.status >= 500)
	return isFault ? error.requestId : undefined
}

/** Returns true when the id in the URL is unknown or invalid, so that a retry cannot help. */
export function isMissing(error: unknown): boolean {
	return error instanceof ApiError && [400, 404].includes(error.status)
}
