import helmet from '@fastify/helmet'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Http } from './http.ts'

/** Headers of every answer: HTTPS only, no type guessing, no caching. */
const FIXED = {
	'strict-transport-security': 'max-age=31536000; includeSubDomains',
	'x-content-type-options': 'nosniff',
	// Files with a hash in their name and files of chats override this header.
	'cache-control': 'no-store',
}

/** Sets the headers of every answer, including the id of its request in the logs. */
export function setFixedHeaders(request: FastifyRequest, reply: FastifyReply): void {
	reply.headers(FIXED).header('x-request-id', request.id)
}

/** Adds the headers of every answer and those that concern browsers only. */
export async function serveResponseHeaders(http: Http): Promise<void> {
	http.addHook('onRequest', (request, reply, done) => {
		setFixedHeaders(request, reply)
		done()
	})
	await http.register(helmet, {
		enableCSPNonces: true,
		hsts: false,
		noSniff: false,
		contentSecurityPolicy: {
			useDefaults: false,
			directives: {
				defaultSrc: ["'self'"],
				scriptSrc: ["'self'"],
				styleSrc: ["'self'"],
				imgSrc: ["'self'", 'data:', 'blob:'],
				mediaSrc: ["'self'", 'blob:'],
				connectSrc: ["'self'"],
				fontSrc: ["'self'"],
				workerSrc: ["'self'"],
				objectSrc: ["'none'"],
				baseUri: ["'none'"],
				formAction: ["'self'"],
				frameAncestors: ["'none'"],
			},
		},
	})
}
