import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { Http } from '#lib/server/http/http.ts'

const folder = fileURLToPath(new URL('../../../dist/web/', import.meta.url))

/** The addresses of calls and of files: no address of a page has a dot in its path. */
const NO_PAGE = /^\/(?:api|v1|l|assets)(?:[/?]|$)|^[^?]*\./

/** The files of `public/` at addresses that browsers know or the page names; the page without a network needs a nonce. */
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
 * What says something of pages alone, or of a call. A screen is tens of scripts and styles, and the headers of most weighed
 * more than they do. A worker's script is bound by the policy that it comes with.
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

/** What the page is told before anybody has signed in. */
export interface PageConfig {
	simulator: boolean
	/** In a demo, where people see what recipients got. */
	phonesUrl: string | null
	landing: string
	/** Whom users are told to ask. */
	supportContact: string | null
}

/** The page with its settings, in which no `<` can end the script that holds them. */
export function withConfig(page: string, config: PageConfig): string {
	const json = JSON.stringify(config).replaceAll('<', String.raw`\u003c`)
	// A function, as $& in a text would mean what is replaced.
	return page.replace('__APP_CONFIG__', () => json)
}

/** Serves the built web app: its hashed files for ever, and its one page, with a fresh nonce, for every other address. */
export async function serveWebApp(http: Http, config: PageConfig): Promise<void> {
	const page = withConfig(readFileSync(`${folder}index.html`, 'utf8'), config)
	await http.register(async (assets) => {
		// Before the handler, and after the hook that sets them.
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
			// A name stands for its bytes for ever, so that nobody asks whether they have changed, or for a part of them.
			etag: false,
			lastModified: false,
			acceptRanges: false,
			// The build has written each of them in Brotli and gzip as well.
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
	// What the service worker keeps for a browser without a network.
	const offline = readFileSync(`${folder}offline.html`, 'utf8')
	http.get('/offline.html', (_, reply) =>
		reply.type('text/html; charset=utf-8').send(withNonces(offline, reply.cspNonce)),
	)
	// What a browser asks for where it shows a file of ours by itself: the icon that the page carries.
	const icon = decodeURIComponent(/href="data:image\/svg\+xml,([^"]*)"/.exec(page)?.[1] ?? '')
	http.get('/favicon.ico', (_, reply) => reply.type('image/svg+xml').send(icon))
	http.setNotFoundHandler((request, reply) => {
		const isPage = ['GET', 'HEAD'].includes(request.method) && !NO_PAGE.test(request.url)
		if (!isPage) return reply.status(404).send({ message: 'There is nothing at this address' })
		return reply.type('text/html; charset=utf-8').send(withNonces(page, reply.cspNonce))
	})
}

/** Scripts and styles of the page carry one each; a meta tag holds the one that the app gives the styles it adds. */
function withNonces(page: string, nonce: { script: string; style: string }): string {
	return page.replaceAll('__STYLE_NONCE__', nonce.style).replaceAll('__SCRIPT_NONCE__', nonce.script)
}
