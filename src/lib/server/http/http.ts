import { isIP } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ZodMiniType } from 'zod/mini'
import {
	admits,
	isFileResponse,
	type Access,
	type Endpoint,
	type PartOut,
	type ResponseIn,
	type Seat,
} from '#lib/endpoint.ts'
import { problem, unauthenticated } from '#lib/problems.ts'
import type { AccountId } from '../db.ts'
import type { EndTurn, FairSemaphore } from '../fair-semaphore.ts'
import { boundsOf } from './body/bounds.ts'
import { bodyBounds } from './body/json-body.ts'
import { createPartsReader } from './body/read-parts.ts'
import { receiveForm, type ReceivedForm, type UploadedFile } from './body/uploads.ts'
import { networkOf } from './network.ts'

export type Http = FastifyInstance

/** The signed-in caller. All its actions concern the account `accountId`. */
export interface Session {
	userId: number
	role: 'admin' | 'user'
	/** Rights of the person in the account. An admin owns an account without data. */
	seat: Seat
	accountId: AccountId
	tokenHash: Buffer
	/**
	 * The page of a required set-up, such as a second factor. Until the set-up is done, only calls with `duringSetUp` are
	 * served.
	 */
	mustSetUp?: string | undefined
}

/** A program that calls with an API key of an account. */
export interface KeyHolder {
	keyId: number
	accountId: AccountId
	scopes: readonly string[]
	/** Limit of the key's spending per Indian day, in paise; null without a limit. */
	dayLimitPaise: number | null
	/** True for a test key: its orders are neither sent nor charged. */
	isTest: boolean
}

/** A file as the answer, downloaded under `filename` instead of JSON. */
export interface FileContent {
	filename: string
	/** MIME type, for a contract that allows several. */
	type?: string
	/** True to show the file in the browser instead of downloading it. Allowed only for types that run no code in a browser. */
	isInline?: boolean
	/** 206 for a part of the file. */
	status?: number
	headers?: Record<string, string>
	content: Buffer | NodeJS.ReadableStream
}

type SessionFor<A extends Access> = A extends 'public' ? null : A extends 'key' ? KeyHolder : Session
type HandlerResult<E extends Endpoint> = E['response'] extends ZodMiniType ? ResponseIn<E> : FileContent

export interface Call<E extends Endpoint> {
	params: PartOut<E['params']>
	query: PartOut<E['query']>
	body: PartOut<E['body']>
	files: Record<string, UploadedFile>
	session: SessionFor<E['access']>
	request: FastifyRequest
	/** Aborted when the client disconnects before it has received the answer. */
	signal: AbortSignal
}

/**
 * Limits of concurrent calls per account by kind of work. A call takes a permit of one of `calls`, `uploads` and `exports`, or
 * of `heavy` or `long`; an upload can take two.
 */
export type Semaphores = Record<'calls' | 'uploads' | 'exports' | 'heavy' | 'long', FairSemaphore>

declare module 'fastify' {
	interface FastifyInstance {
		/** Returns the session of a bearer token sent from `network`, or null. The app adds it. */
		findSession(token: string, network: string): Promise<Session | null>
		/** Limits of concurrent calls per account. The app adds them. */
		semaphores: Semaphores
	}
	interface FastifyRequest {
		/** The signed-in caller; null before `requireSession`. */
		session: Session | null
		/** The calling program; null before its API key is checked. */
		keyHolder: KeyHolder | null
	}
	interface FastifyContextConfig {
		/** Access of the route's endpoint. */
		access?: Access
	}
}

/**
 * Serves an endpoint: checks the caller before the body is read, waits for the account's permit, reads the request, and removes
 * fields that the contract does not name from the reply.
 */
export function mount<const E extends Endpoint>(
	http: Http,
	endpoint: E,
	handle: (call: Call<E>) => Promise<HandlerResult<E>>,
): void {
	const { path, perMinute } = endpoint
	boundsOf(endpoint.params, `params of ${path}`)
	boundsOf(endpoint.query, `query of ${path}`)
	const bounds = bodyBounds(endpoint.body, endpoint)
	const readParts = createPartsReader(endpoint)
	const admission = (request: FastifyRequest) => admit(http, endpoint, request)
	http.route({
		method: endpoint.method,
		bodyLimit: bounds.bytes,
		url: path.slice(http.prefix.length).replace(/\{(\w+)\}/g, ':$1'),
		config: { access: endpoint.access, bounds },
		onRequest: perMinute ? [http.rateLimit({ max: perMinute, timeWindow: 60_000 }), admission] : [admission],
		handler: async (request, reply) => {
			// A form without a file may also be sent as JSON.
			if (!endpoint.files && request.isMultipart()) throw problem('unsupported_media_type')
			const session = endpoint.access === 'key' ? request.keyHolder : request.session
			const ends: EndTurn[] = []
			const signal = untilGone(reply)
			const begin = async (semaphore: FairSemaphore | null) => {
				if (semaphore && session) ends.push(await semaphore.begin(session.accountId, signal))
			}
			const { first, afterUpload } = semaphoresOf(http.semaphores, endpoint)
			let form: ReceivedForm | null = null
			try {
				await begin(first)
				if (endpoint.files && request.isMultipart()) form = await receiveForm(request, endpoint.files, bounds.bytes)
				await begin(afterUpload)
				const call = {
					...(await readParts(request, form)),
					files: form?.files ?? {},
					session,
					request,
					signal,
				}
				const result = await handle(call as Call<E>)
				// Returns the permits before a file is sent, since a slow reader, such as a paused video, would keep other calls
				// waiting.
				if (isFileResponse(endpoint.response) && endpoint.effort !== 'export') for (const end of ends) end()
				return await send(endpoint, result, reply)
			} finally {
				await form?.discard()
				for (const end of ends) end()
			}
		},
	})
}

/**
 * Returns a signal that aborts when the client disconnects before it has received the answer. The request's own signal aborts
 * at the end of the body instead.
 */
function untilGone(reply: FastifyReply): AbortSignal {
	const gone = new AbortController()
	reply.raw.once('close', () => gone.abort(problem('request_aborted')))
	return gone.signal
}

/**
 * Returns the semaphores whose permits a call takes before it starts and after its upload; null for none. A slow upload holds
 * no permit of `heavy` or `long`, which all accounts share.
 */
function semaphoresOf(
	{ calls, uploads, exports, ...works }: Semaphores,
	{ files, effort }: Pick<Endpoint, 'files' | 'effort'>,
): { first: FairSemaphore | null; afterUpload: FairSemaphore | null } {
	if (effort === 'gathered') return { first: null, afterUpload: null }
	if (effort === 'export') return { first: exports, afterUpload: null }
	const work = effort ? works[effort] : null
	if (files) return { first: uploads, afterUpload: work }
	return { first: work ?? calls, afterUpload: null }
}

/** Returns the caller's IP address; the proxy's when its X-Forwarded-For holds no valid address. */
export function addressOf({ ip, socket }: Pick<FastifyRequest, 'ip' | 'socket'>): string {
	const address = [ip, socket.remoteAddress ?? ''].find((text) => isIP(text) !== 0) ?? '0.0.0.0'
	// Removes the zone of a link-local address (fe80::1%eth0): it has no meaning on other machines, and PostgreSQL refuses it.
	return address.split('%', 1)[0] ?? address
}

/** Checks that the caller may use the endpoint, and stores the session on the request. Throws a 401 or 403 otherwise. */
async function admit(
	http: Http,
	{ access, scope, widerScope, duringSetUp }: Endpoint,
	request: FastifyRequest,
): Promise<void> {
	if (access === 'public') return
	if (access === 'key') return admitKey(request, { scope, widerScope })
	const session = await requireSession(http, request, duringSetUp)
	if (!admits(access, session)) throw problem('forbidden')
}

/**
 * Checks the scopes of the API key, which the server that mounts the call has looked up. Throws the refusal of a call
 * without a key or scope.
 */
function admitKey({ keyHolder }: FastifyRequest, { scope, widerScope }: Pick<Endpoint, 'scope' | 'widerScope'>): void {
	if (!keyHolder) throw problem('api_key_missing')
	if (scope === undefined || [scope, widerScope].some((one) => one && keyHolder.scopes.includes(one))) return
	throw problem('scope_missing', { scope })
}

/** Returns the request's bearer token, or undefined. */
export function tokenOf({ headers }: FastifyRequest): string | undefined {
	return /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1]
}

/**
 * Returns the caller's session and stores it on the request. Throws a 401 without a session, and a 403 before a required
 * set-up.
 */
export async function requireSession(http: Http, request: FastifyRequest, duringSetUp = false): Promise<Session> {
	const token = tokenOf(request)
	request.session = token ? await http.findSession(token, networkOf(addressOf(request))) : null
	const { mustSetUp } = request.session ?? {}
	if (mustSetUp && !duringSetUp) throw problem('second_factor_required', { setUp: mustSetUp })
	if (request.session) return request.session
	throw unauthenticated()
}

async function send(endpoint: Endpoint, result: unknown, reply: FastifyReply): Promise<unknown> {
	if (isFileResponse(endpoint.response)) {
		const file = result as FileContent
		reply.header('content-type', withCharset(file.type ?? endpoint.response.file))
		reply.header('content-disposition', disposition(file))
		reply.headers(file.headers ?? {})
		return reply.status(file.status ?? 200).send(file.content)
	}
	return reply.status(endpoint.status ?? 200).send(endpoint.response.parse(result))
}

/** Adds the UTF-8 charset to a text type, since a browser would guess it otherwise. */
function withCharset(type: string): string {
	return type.startsWith('text/') && !type.includes(';') ? `${type}; charset=utf-8` : type
}

/** Returns the Content-Disposition header, with a non-ASCII name added in the form of RFC 5987. */
function disposition({ filename, isInline = false }: FileContent): string {
	const plain = filename.replace(/[^\x20-\x7e]|["\\]/g, '_')
	const whole = plain === filename ? '' : `; filename*=UTF-8''${encodeURIComponent(filename.toWellFormed())}`
	return `${isInline ? 'inline' : 'attachment'}; filename="${plain}"${whole}`
}
