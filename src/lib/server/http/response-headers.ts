import helmet from '@fastify/helmet'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Http } from './http.ts'

/** For every answer, also to those who are no browser: plain HTTP never again, no guessed types, nothing kept. */
const FIXED = {
	'strict-transport-security': 'max-age=31536000; includeSubDomains',
	'x-content-type-options': 'nosniff',
	// What may be kept says so itself: files with a hash in their name, and files of chats.
	'cache-control': 'no-store',
}

/** Sets what every answer carries, with the id under which the logs name its request. */
export function setFixedHeaders(request: FastifyRequest, reply: FastifyReply): void {
	reply.headers(FIXED).header('x-request-id', request.id)
}

/** What browsers are told on top. */
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
