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
import { AppError } from '#lib/app-error.ts'
import { problem } from '#lib/problems.ts'
import { noteRequest } from '../cooperative-yield.ts'
import type { Log } from '../log.ts'
import { BODY_LIMIT, readJsonBodies } from './body/json-body.ts'
import { endSlowBodies } from './body/slow-bodies.ts'
import { logFailure, serveFailureLog } from './failure-log.ts'
import { addressOf, type Http, type Session, type Semaphores } from './http.ts'
import { networkOf } from './network.ts'
import { serveResponseHeaders, setFixedHeaders } from './response-headers.ts'
import { serveSecurityLog } from './security-log.ts'

export interface HttpServerOptions {
	log: Log
	findSession: (token: string, network: string) => Promise<Session | null>
	/** Limits of concurrent calls per account. */
	semaphores: Semaphores
	/** Addresses of the reverse proxies whose X-Forwarded-For is trusted, as in TRUST_PROXY. */
	trustProxy: string[]
	/** Returns the RFC 9457 problem for an unreadable address; null where errors are plain messages. */
	addressProblem?: (url: string) => object | null
}

/** Returns a server without routes, with the rules of all routes: limits, security headers and error responses. */
export async function createHttpServer(options: HttpServerOptions): Promise<Http> {
	// The logger has fastify's type, because the type of the server would otherwise include pino's.
	const loggerInstance: FastifyBaseLogger = options.log
	const isTrusted = compile(options.trustProxy)
	const http: Http = fastify({
		loggerInstance,
		logController: new LogController({ disableRequestLogging: true }),
		bodyLimit: BODY_LIMIT,
		requestTimeout: 0,
		trustProxy: isTrusted,
		genReqId: (request: IncomingMessage) => requestIdOf(request, isTrusted),
		routerOptions: { maxParamLength: 1000 },
		// Handles addresses that reach no route, such as a path with % and no digits.
		frameworkErrors(_error, request: FastifyRequest, reply: FastifyReply) {
			setFixedHeaders(request, reply)
			const body = options.addressProblem?.(request.url)
			if (body) reply.header('content-type', 'application/problem+json')
			void reply.status(400).send(body ?? answerOf(problem('address_unreadable')))
		},
	})
	http.addHook('onRequest', (_request, _reply, done) => {
		noteRequest()
		done()
	})
	endSlowBodies(http)
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
	http.decorate('semaphores', options.semaphores)
	http.setErrorHandler((error: FastifyError, request, reply) => {
		const { status, body } = describe(error, request, reply)
		return reply.status(status).send(body)
	})
	return http
}

/**
 * Returns the id of a request for all logs: the id that a trusted proxy sent, so that both logs share it, otherwise a new one.
 */
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
 * Closes connections as soon as they are idle during a stop. Fastify closes only connections that are idle when the stop
 * begins; a busy one would stay open until its keep-alive timeout.
 */
function closeConnectionsWhenIdle(http: Http): void {
	http.addHook('preClose', async () => {
		const check = setInterval(() => http.server.closeIdleConnections(), IDLE_CHECK_MS)
		http.server.once('close', () => clearInterval(check))
	})
}

/** Returns the status and body for an error, sets Retry-After, and logs a 5xx. */
export function describe(
	error: FastifyError,
	request: FastifyRequest,
	reply: FastifyReply,
): { status: number; body: Record<string, unknown> } {
	const described = bodyOf(error)
	const waitSeconds = error instanceof AppError ? error.facts['waitSeconds'] : undefined
	if (typeof waitSeconds === 'number') reply.header('retry-after', String(waitSeconds))
	// Keeps the connection open while the client sends the rest of the body, up to the timeout: closing it now would reset the
	// connection before the client has read the answer.
	if (!request.raw.complete) reply.removeHeader('connection')
	if (described.status >= 500) logFailure(request, { error, status: described.status })
	return described
}

/** Codes of the errors of a full disk: of the file system, of a quota on it, and of PostgreSQL. */
const DISK_FULL_CODES = ['ENOSPC', 'EDQUOT', '53100']

/**
 * Returns the status and body for an error. The body of a 500 is empty, so that each screen says which of its actions failed.
 */
function bodyOf(error: FastifyError): { status: number; body: Record<string, unknown> } {
	const refusal = DISK_FULL_CODES.includes(error.code) ? problem('disk_full') : error
	if (refusal instanceof AppError) return { status: refusal.status, body: answerOf(refusal) }
	const status = error.statusCode ?? 500
	return status < 500 ? { status, body: answerOf(problemOfStatus(status)) } : { status: 500, body: {} }
}

/** Returns the body of a refusal: its sentence and the fields that its kind adds. */
function answerOf({ message, details }: AppError): Record<string, unknown> {
	return { message, ...details }
}

/** Returns the refusal for a client error of the HTTP framework. */
function problemOfStatus(status: number): AppError {
	if (status === 429) return problem('rate_limited')
	if (status === 413) return problem('too_large', {})
	if (status === 415) return problem('unsupported_media_type')
	return problem('unreadable')
}
