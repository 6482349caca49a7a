import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { PageConfig } from '#lib/page-config.ts'
import type { Http } from '#lib/server/http/http.ts'

const folder = fileURLToPath(new URL('../../../dist/web/', import.meta.url))

/** Paths of calls and files; page URLs have no dot in their path. */
const NO_PAGE = /^\/(?:api|v1|l|assets)(?:[/?]|$)|^[^?]*\./

/** Files of `public/` with fixed URLs. The offline page is absent, since it needs a nonce. */
const FIXED_FILES = new Set([
	'/robots.txt',
	'/manifest.webmanifest',
	'/sw.js',
	'/apple-touch-icon.png',
	'/icon-192.png',
	'/icon-512.png',
	'/icon-maskable-512.png',
])

/**
 * Headers that matter for pages or calls only. A screen loads tens of scripts and styles, most of them smaller than
 * these headers. A worker's script needs its content security policy.
 */
const FOR_DOCUMENTS = [
	'cross-origin-opener-policy',
	'origin-agent-cluster',
	'strict-transport-security',
	'x-dns-prefetch-control',
	'x-download-options',
	'x-frame-options',
	'x-permitted-cross-domain-policies',
	'x-request-id',
	'x-xss-protection',
]

/** Inserts the settings into the page, with each `<` escaped so that none ends the script. */
export function withConfig(page: string, config: PageConfig): string {
	const json = JSON.stringify(config).replaceAll('<', String.raw`\u003c`)
	// A function as the replacement, since $& in a text would insert the match.
	return page.replace('__APP_CONFIG__', () => json)
}

/**
 * Serves the built web app: hashed files with permanent caching, and the page with a fresh nonce for every other URL.
 */
export async function serveWebApp(http: Http, config: PageConfig): Promise<void> {
	const page = withConfig(readFileSync(`${folder}index.html`, 'utf8'), config)
	await http.register(async (assets) => {
		// Runs after the hook that sets the headers and before the handler.
		assets.addHook('preHandler', (_request, reply, done) => {
			for (const name of FOR_DOCUMENTS) reply.removeHeader(name)
			reply.header('content-security-policy', "default-src 'self'")
			done()
		})
		await assets.register(fastifyStatic, {
			root: `${folder}assets`,
			prefix: '/assets/',
			immutable: true,
			maxAge: '365d',
			index: false,
			// A hashed name always has the same bytes, so revalidation and ranges are unnecessary.
			etag: false,
			lastModified: false,
			acceptRanges: false,
			// The build also writes each file in Brotli and gzip.
			preCompressed: true,
		})
	})
	await http.register(fastifyStatic, {
		root: folder,
		decorateReply: false,
		index: false,
		cacheControl: false,
		allowedPath: (path) => FIXED_FILES.has(path),
	})
	// The page that the service worker stores for a browser without a network.
	const offline = readFileSync(`${folder}offline.html`, 'utf8')
	http.get('/offline.html', (_, reply) =>
		reply.type('text/html; charset=utf-8').send(withNonces(offline, reply.cspNonce)),
	)
	// Serves the page's icon for browsers that request it on their own, for example for a file.
	const icon = decodeURIComponent(/href="data:image\/svg\+xml,([^"]*)"/.exec(page)?.[1] ?? '')
	http.get('/favicon.ico', (_, reply) => reply.type('image/svg+xml').send(icon))
	http.setNotFoundHandler((request, reply) => {
		const isPage = ['GET', 'HEAD'].includes(request.method) && !NO_PAGE.test(request.url)
		if (!isPage) return reply.status(404).send({ message: 'There is nothing at this address' })
		return reply.type('text/html; charset=utf-8').send(withNonces(page, reply.cspNonce))
	})
}

/** Fills in the nonces of the page's scripts and styles; a meta tag has the nonce for styles that the app adds. */
function withNonces(page: string, nonce: { script: string; style: string }): string {
	return page.replaceAll('__STYLE_NONCE__', nonce.style).replaceAll('__SCRIPT_NONCE__', nonce.script)
}
