import { isIP } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ZodMiniType } from 'zod/mini'
import { isFileResponse, type Access, type Endpoint, type PartOut, type ResponseIn } from '#lib/endpoint.ts'
import type { AccountId } from '../db.ts'
import { AppError } from '../errors.ts'
import type { EndTurn, Share } from '../fair-semaphore.ts'
import { boundsOf } from './bounds.ts'
import { bodyBounds } from './json-body.ts'
import { networkOf } from './network.ts'
import { createPartsReader, NOT_AN_OBJECT } from './read-parts.ts'
import { receiveForm, type ReceivedForm, type UploadedFile } from './uploads.ts'

export type Http = FastifyInstance

/** Who is calling. `ownerId` is the account that everything they do is about. */
export interface Session {
	userId: number
	role: 'admin' | 'user'
	accountId: AccountId
	tokenHash: Buffer
	/** Where they have to set something up first: until then, only calls with `duringSetUp` are answered. */
	mustSetUp?: string | undefined
}

/** A program that calls with an API key of an account. */
export interface KeyHolder {
	keyId: number
	accountId: AccountId
	scopes: readonly string[]
	/** What the key may spend on one Indian day, in paise; null without a limit. */
	dayLimitPaise: number | null
	/** A test key: nothing that it orders is sent or charged. */
	isTest: boolean
}

/** Bytes instead of JSON, downloaded under `filename`. */
export interface FileContent {
	filename: string
	/** Its MIME type, where that of the contract stands for several. */
	type?: string
	/** Shown in the page instead of downloaded: only for what runs nothing in a browser. */
	isInline?: boolean
	/** 206 for a part of it. */
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
	/** Aborted when the client goes away before it has its answer. */
	signal: AbortSignal
}

/** By the kind of work. A call is either one of `calls`, `uploads` and `exports`, or `heavy` or `long`; an upload may be both. */
export type Shares = Record<'calls' | 'uploads' | 'exports' | 'heavy' | 'long', Share>

declare module 'fastify' {
	interface FastifyInstance {
		/** Returns the session of a bearer token that came from a network, or null. Decorated by the app. */
		findSession(token: string, network: string): Promise<Session | null>
		/** What of the server each account may have. Decorated by the app. */
		shares: Shares
	}
	interface FastifyRequest {
		/** Who calls, once that is known. */
		session: Session | null
		/** Which program calls, once that is known. */
		keyHolder: KeyHolder | null
	}
	interface FastifyContextConfig {
		/** Of an endpoint of the contract. */
		access?: Access
	}
}

/**
 * Serves an endpoint. Decides who calls before any of the body is read, waits for the account's turn, reads the request, and
 * removes from the reply all that the contract does not name.
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
			// Without a file, the fields of a form may also come as JSON.
			if (!endpoint.files && request.isMultipart()) throw new AppError(415, NOT_AN_OBJECT)
			const session = endpoint.access === 'key' ? request.keyHolder : request.session
			const ends: EndTurn[] = []
			const signal = untilGone(reply)
			const begin = async (share: Share | null) => {
				if (share && session) ends.push(await share.begin(session.accountId, signal))
			}
			const { first, afterUpload } = sharesOf(http.shares, endpoint)
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
				// A file is on its way for as long as its reader takes: a paused video must not keep other calls waiting.
				if (isFileResponse(endpoint.response) && endpoint.effort !== 'export') for (const end of ends) end()
				return await send(endpoint, result, reply)
			} finally {
				await form?.discard()
				for (const end of ends) end()
			}
		},
	})
}

/** Aborted when the client goes away before it has its answer. The request's own signal ends with the body instead. */
function untilGone(reply: FastifyReply): AbortSignal {
	const gone = new AbortController()
	reply.raw.once('close', () => gone.abort(new AppError(408, 'This request was broken off')))
	return gone.signal
}

/** A client that uploads slowly must hold no place of those that all accounts share. */
function sharesOf(
	{ calls, uploads, exports, ...works }: Shares,
	{ files, effort }: Pick<Endpoint, 'files' | 'effort'>,
): { first: Share | null; afterUpload: Share | null } {
	if (effort === 'gathered') return { first: null, afterUpload: null }
	if (effort === 'export') return { first: exports, afterUpload: null }
	const work = effort ? works[effort] : null
	if (files) return { first: uploads, afterUpload: work }
	return { first: work ?? calls, afterUpload: null }
}

/** The network address of the caller; the proxy's own when its X-Forwarded-For holds no valid address. */
export function addressOf({ ip, socket }: Pick<FastifyRequest, 'ip' | 'socket'>): string {
	const address = [ip, socket.remoteAddress ?? ''].find((text) => isIP(text) !== 0) ?? '0.0.0.0'
	// The zone of a link-local address (fe80::1%eth0) means nothing to other machines, and the database refuses it.
	return address.split('%', 1)[0] ?? address
}

/** Notes at the request who calls. Throws a 401 or 403 for a caller whom the endpoint is not for. */
async function admit(
	http: Http,
	{ access, scope, widerScope, duringSetUp }: Endpoint,
	request: FastifyRequest,
): Promise<void> {
	if (access === 'public') return
	if (access === 'key') return admitKey(request, { scope, widerScope })
	const session = await requireSession(http, request, duringSetUp)
	if (access !== 'signed-in' && session.role !== access) throw new AppError(403, 'You are not allowed to do this')
}

/** The server that has mounted the call has looked the key up. */
function admitKey({ keyHolder }: FastifyRequest, { scope, widerScope }: Pick<Endpoint, 'scope' | 'widerScope'>): void {
	if (!keyHolder) throw new AppError(401, 'Send an API key')
	if (scope === undefined || [scope, widerScope].some((one) => one && keyHolder.scopes.includes(one))) return
	throw new AppError(403, `This API key was made without "${scope}"`, { code: 'scope_missing', scope })
}

/** The token that a request carries, if any. */
export function tokenOf({ headers }: FastifyRequest): string | undefined {
	return /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1]
}

/** Returns the session of the caller, and notes it at the request. Throws a 401 without one, a 403 before a required set-up. */
export async function requireSession(http: Http, request: FastifyRequest, duringSetUp = false): Promise<Session> {
	const token = tokenOf(request)
	request.session = token ? await http.findSession(token, networkOf(addressOf(request))) : null
	const { mustSetUp } = request.session ?? {}
	if (mustSetUp && !duringSetUp) throw new AppError(403, 'Set up your second factor first', { setUp: mustSetUp })
	if (request.session) return request.session
	throw new AppError(401, 'Please login to continue')
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

/** Our texts are UTF-8, which a browser would otherwise guess. */
function withCharset(type: string): string {
	return type.startsWith('text/') && !type.includes(';') ? `${type}; charset=utf-8` : type
}

/** The Content-Disposition header; a name with non-ASCII characters is added in the form of RFC 5987. */
function disposition({ filename, isInline = false }: FileContent): string {
	const plain = filename.replace(/[^\x20-\x7e]|["\\]/g, '_')
	const whole = plain === filename ? '' : `; filename*=UTF-8''${encodeURIComponent(filename.toWellFormed())}`
	return `${isInline ? 'inline' : 'attachment'}; filename="${plain}"${whole}`
}
