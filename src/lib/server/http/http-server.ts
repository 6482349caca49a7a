import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import compress from '@fastify/compress'
import multipart from '@fastify/multipart'
import { compile } from '@fastify/proxy-addr'
import rateLimit from '@fastify/rate-limit'
import fastify, {
	LogController,
	type FastifyBaseLogger,
	type FastifyError,
	type FastifyReply,
	type FastifyRequest,
} from 'fastify'
import { FileError } from '#lib/csv-text.ts'
import { noteRequest } from '../cooperative-yield.ts'
import { AppError, RetryLater } from '../errors.ts'
import type { Log } from '../log.ts'
import { logFailure, serveFailureLog } from './failure-log.ts'
import { addressOf, type Http, type Session, type Shares } from './http.ts'
import { BODY_LIMIT, readJsonBodies } from './json-body.ts'
import { networkOf } from './network.ts'
import { NOT_AN_OBJECT } from './read-parts.ts'
import { serveResponseHeaders, setFixedHeaders } from './response-headers.ts'
import { serveSecurityLog } from './security-log.ts'

export interface HttpServerOptions {
	log: Log
	findSession: (token: string, network: string) => Promise<Session | null>
	/** What each account may have under way. */
	shares: Shares
	/** Addresses of the reverse proxies whose X-Forwarded-For is believed, as in TRUST_PROXY. */
	trustProxy: string[]
	/** The RFC 9457 problem for an address that cannot be read; null where errors are messages. */
	addressProblem?: (url: string) => object | null
}

export const ADDRESS_UNREADABLE = 'This address could not be read'

/** A server without routes, with what holds for all of them: limits, security headers, error responses. */
export async function createHttpServer(options: HttpServerOptions): Promise<Http> {
	// Typed as what fastify asks for: the server's own type would otherwise carry pino's everywhere.
	const loggerInstance: FastifyBaseLogger = options.log
	const isTrusted = compile(options.trustProxy)
	const http: Http = fastify({
		loggerInstance,
		logController: new LogController({ disableRequestLogging: true }),
		bodyLimit: BODY_LIMIT,
		requestTimeout: 120_000,
		trustProxy: isTrusted,
		genReqId: (request: IncomingMessage) => requestIdOf(request, isTrusted),
		routerOptions: { maxParamLength: 1000 },
		// Such as a path with % and no digits, which no route sees.
		frameworkErrors(_error, request: FastifyRequest, reply: FastifyReply) {
			setFixedHeaders(request, reply)
			const problem = options.addressProblem?.(request.url)
			if (problem) reply.header('content-type', 'application/problem+json')
			void reply.status(400).send(problem ?? { message: ADDRESS_UNREADABLE })
		},
	})
	http.addHook('onRequest', (_request, _reply, done) => {
		noteRequest()
		done()
	})
	await serveResponseHeaders(http)
	await http.register(compress, { threshold: 1024 })
	await http.register(rateLimit, { global: false, keyGenerator: (request) => networkOf(addressOf(request)) })
	await http.register(multipart)
	readJsonBodies(http)
	http.decorateRequest('session', null)
	http.decorateRequest('keyHolder', null)
	serveSecurityLog(http, options.log)
	serveFailureLog(http, options.log)
	closeConnectionsWhenIdle(http)
	http.decorate('findSession', options.findSession)
	http.decorate('shares', options.shares)
	http.setErrorHandler((error: FastifyError, request, reply) => {
		const { status, body } = describe(error, request, reply)
		return reply.status(status).send(body)
	})
	return http
}

/** The id of a request in all logs: that of a trusted proxy, so that one id follows it through both, else one of our own. */
function requestIdOf(
	{ headers, socket }: IncomingMessage,
	isTrusted: (address: string, hop: number) => boolean,
): string {
	const given = headers['x-request-id']
	const isGiven = typeof given === 'string' && /^[\w.-]{8,64}$/.test(given)
	return isGiven && isTrusted(socket.remoteAddress ?? '', 0) ? given : randomUUID()
}

const IDLE_CHECK_MS = 50

/**
 * Ends a stop as soon as the responses under way are sent. Fastify closes only connections that are idle when the stop begins:
 * one that was busy then would stay open until its keep-alive timeout.
 */
function closeConnectionsWhenIdle(http: Http): void {
	http.addHook('preClose', async () => {
		const check = setInterval(() => http.server.closeIdleConnections(), IDLE_CHECK_MS)
		http.server.once('close', () => clearInterval(check))
	})
}

/** What is answered to an error, and when to ask again. A fault of ours is logged. */
export function describe(
	error: FastifyError,
	request: FastifyRequest,
	reply: FastifyReply,
): { status: number; body: Record<string, unknown> } {
	const described = bodyOf(error)
	if (error instanceof RetryLater) reply.header('retry-after', String(error.waitSeconds))
	// The rest of the body is read on, up to the timeout: closing at once would reset the connection before the answer is read.
	if (!request.raw.complete) reply.removeHeader('connection')
	if (described.status >= 500) logFailure(request, { error, status: described.status })
	return described
}

/** The status and body for an error. Of a fault of ours the body says nothing, so that each screen says what it could not do. */
function bodyOf(error: FastifyError): { status: number; body: Record<string, unknown> } {
	if (error instanceof AppError) return { status: error.status, body: { message: error.message, ...error.details } }
	if (error instanceof FileError) return { status: 400, body: { message: error.message } }
	const status = error.statusCode ?? 500
	if (status === 429) return { status, body: { message: 'Too many attempts. Please try again in a minute.' } }
	if (status === 413) return { status, body: { message: 'This request is too large' } }
	if (status === 415) return { status, body: { message: NOT_AN_OBJECT } }
	if (status < 500) return { status, body: { message: 'This request could not be read' } }
	return { status: 500, body: {} }
}
