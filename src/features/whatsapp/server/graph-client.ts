import { Agent, Pool, type Dispatcher, type FormData } from 'undici'
import { parseJson } from '#lib/text/parse-json.ts'
import { createTransport } from './transport.ts'

/** Error in Meta's response to a refused call. `userMessage` is written for people. */
export interface GraphFault {
	code: number
	subcode: number | null
	message: string
	details: string | null
	userTitle: string | null
	userMessage: string | null
	isTransient: boolean
}

export class GraphError extends Error {
	readonly status: number
	readonly fault: GraphFault | null

	constructor(status: number, fault: GraphFault | null) {
		super(fault?.userMessage ?? fault?.details ?? fault?.message ?? `The network answered with HTTP ${status}`)
		this.name = 'GraphError'
		this.status = status
		this.fault = fault
	}
}

export interface GraphResponse {
	status: number
	/** Parsed JSON; null when the body is not JSON. */
	body: unknown
}

export interface GraphRequest {
	method: 'GET' | 'POST' | 'DELETE'
	/** Path after the version, such as `/123/messages`. */
	path: string
	token: string
	/** Name of the connection pool. Requests of one lane never wait for another lane's connections. */
	lane?: string
	/** Body; a string is sent as JSON. */
	body?: string | Buffer | FormData
	headers?: Record<string, string>
	/**
	 * Called immediately before the request's first byte is passed to the connection, at most once: a started request
	 * is never sent again. A failed call that did not call it never reached the network. An error that it throws
	 * prevents the request.
	 */
	onStart?: () => void
}

/** Client of the Graph API with keep-alive connections to one origin. */
export interface CloudApi {
	/** Origin of the Graph API, as configured. */
	readonly origin: string
	/** Connections to the hosts that store Meta's files. */
	readonly files: Dispatcher
	request(request: GraphRequest): Promise<GraphResponse>
	/** Aborts requests in progress. */
	close(): Promise<void>
}

export interface CloudApiOptions {
	url: string
	version: string
}

/** Milliseconds until the network must begin its response, and between two parts of it. */
const TIMEOUT_MS = 30_000
/** Milliseconds for a whole response. Needed because each byte of a slow response restarts the other timeout. */
const MAX_RESPONSE_MS = 60_000
const KEEP_ALIVE_MS = 30_000
/** Maximum bytes of a response, many times the largest page of templates. */
const MAX_RESPONSE_BYTES = 16_000_000
export function createCloudApi(options: CloudApiOptions): CloudApi {
	const { origin } = new URL(options.url)
	const transport = createTransport()
	// Each lane has its own pool, because a pool searches all its connections for a free one. The pools are unbounded:
	// the senders limit the concurrent calls.
	const pools = new Map<string, Pool>()
	const poolOf = (lane: string) => {
		const known = pools.get(lane)
		if (known) return known
		const pool = new Pool(origin, {
			...transport,
			connections: null,
			pipelining: 1,
			keepAliveTimeout: KEEP_ALIVE_MS,
			headersTimeout: TIMEOUT_MS,
			bodyTimeout: TIMEOUT_MS,
		})
		pools.set(lane, pool)
		return pool
	}
	const files = new Agent(transport)
	const prefix = `${new URL(options.url).pathname.replace(/\/$/, '')}/${options.version}`
	return {
		origin,
		files,
		request: (request) =>
			new Promise((resolve, reject) => {
				const wanted = {
					method: request.method,
					path: prefix + request.path,
					headers: {
						authorization: `Bearer ${request.token}`,
						...(typeof request.body === 'string' && { 'content-type': 'application/json' }),
						...request.headers,
					},
					body: (request.body ?? null) as Dispatcher.DispatchOptions['body'],
				}
				poolOf(request.lane ?? '').dispatch(wanted, collectResponse(request, { resolve, reject }))
			}),
		async close() {
			await Promise.all([files, ...pools.values()].map((connections) => connections.destroy()))
		},
	}
}

/**
 * Returns undici's handler for one request. It collects the response, refuses a second dispatch, and aborts a response
 * that exceeds MAX_RESPONSE_BYTES or MAX_RESPONSE_MS.
 */
export function collectResponse(
	request: Pick<GraphRequest, 'onStart'>,
	settle: { resolve: (reply: GraphResponse) => void; reject: (error: Error) => void },
): Dispatcher.DispatchHandler {
	const chunks: Buffer[] = []
	let status = 0
	let bytes = 0
	let isStarted = false
	let timer: NodeJS.Timeout | undefined
	return {
		onRequestStart: () => {
			if (isStarted) throw new Error('a request that was begun is not sent again')
			isStarted = true
			request.onStart?.()
		},
		onResponseStart: (controller, statusCode) => {
			status = statusCode
			const giveUp = () =>
				controller.abort(new Error(`The network did not end its answer within ${MAX_RESPONSE_MS} ms`))
			// Also called for interim responses, so that the time limit includes them.
			timer ??= setTimeout(giveUp, MAX_RESPONSE_MS)
		},
		onResponseData: (controller, chunk) => {
			chunks.push(chunk)
			bytes += chunk.length
			if (bytes > MAX_RESPONSE_BYTES)
				controller.abort(new Error(`The network answered with more than ${MAX_RESPONSE_BYTES} bytes`))
		},
		onResponseEnd: () => {
			clearTimeout(timer)
			settle.resolve({ status, body: parseJson(Buffer.concat(chunks).toString('utf8')) ?? null })
		},
		onResponseError: (_controller, error) => {
			clearTimeout(timer)
			settle.reject(error)
		},
	}
}

/** Returns Meta's error object, or null when the response has none. */
export function readFault(body: unknown): GraphFault | null {
	const error = isRecord(body) ? body.error : null
	if (!isRecord(error)) return null
	const data = isRecord(error.error_data) ? error.error_data : {}
	return {
		code: errorCode(error.code),
		subcode: error.error_subcode === undefined ? null : errorCode(error.error_subcode),
		message: textOrNull(error.message) ?? '',
		details: textOrNull(data.details),
		userTitle: textOrNull(error.error_user_title),
		userMessage: textOrNull(error.error_user_msg),
		isTransient: error.is_transient === true,
	}
}

/** Returns the code when it fits the database column; else 999, which Meta does not use. */
export function errorCode(value: unknown): number {
	const code = Number(value)
	return Number.isInteger(code) && code >= 0 && code < 2 ** 31 ? code : 999
}

/** Latest accepted time in seconds, in the year 2286. */
const MAX_SECONDS = 1e10

/** Parses Meta's seconds since 1970, a string or number; null for an invalid time. */
export function readSeconds(value: unknown): Date | null {
	const seconds = Number(value)
	return seconds > 0 && seconds < MAX_SECONDS ? new Date(seconds * 1000) : null
}

/** Returns the value when it is a string that is not empty, else null. */
export function textOrNull(value: unknown): string | null {
	return typeof value === 'string' && value !== '' ? value : null
}

export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value)
}
