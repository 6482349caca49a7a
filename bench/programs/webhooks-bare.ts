import fastify from 'fastify'
import { isSignedBy } from '#lib/server/secrets.ts'

/**
 * Serves a minimal receiver of webhooks, which checks the signature over the bytes and parses the JSON. Prints its
 * address.
 */
const SECRET = process.env.BENCH_SECRET ?? ''
const MAX_BYTES = 4 * 1024 * 1024

const http = fastify({ bodyLimit: MAX_BYTES })
http.removeAllContentTypeParsers()
http.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
http.post('/', async (request, reply) => {
	const body = request.body as Buffer
	if (!isSignedBy(SECRET, body, request.headers['x-hub-signature-256']?.toString())) return reply.status(401).send()
	JSON.parse(body.toString('utf8'))
	return reply.type('text/plain').send('OK')
})
console.log(await http.listen({ host: '127.0.0.1', port: 0 }))
