import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pass } from '#test/e2e/failing-proxy.ts'

export interface ConsoleProxy {
	origin: string
	/** Answers with a status of 400 or more. */
	refused: string[]
	close(): Promise<void>
}

/** Script that collects the page's errors in `console.noted`. Runs before all other scripts. */
const NOTE_ERRORS = `console.noted = []
const note = (kind, ...words) => console.noted.push(kind + ': ' + words.map((word) => [word, word?.stack].filter(Boolean).join(' ')).join(' '))
for (const kind of ['error', 'warn']) {
	const write = console[kind]
	console[kind] = (...words) => { note('console ' + kind, ...words); write.apply(console, words) }
}
addEventListener('error', (event) =>
	event.target === window ? note('uncaught', event.message, event.error) : note('not loaded', event.target.src ?? event.target.href), true)
addEventListener('unhandledrejection', (event) => note('uncaught', event.reason))
addEventListener('securitypolicyviolation', (event) => note('CSP forbids', event.blockedURI, event.violatedDirective))`

/** Starts a proxy to the product that adds the script to each page, for browsers whose driver has no log. */
export async function startConsoleProxy(target: string): Promise<ConsoleProxy> {
	const refused: string[] = []
	const server = createServer((incoming, answer) => {
		answer.once('close', () => {
			if (answer.statusCode >= 400) refused.push(`answer ${answer.statusCode} from ${incoming.url}`)
		})
		if (incoming.headers.accept?.includes('text/html')) void sendPage(target, incoming, answer)
		else pass(target, incoming, answer)
	})
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
	return {
		origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		refused,
		async close() {
			server.closeAllConnections()
			await new Promise((resolve) => server.close(resolve))
		},
	}
}

async function sendPage(target: string, { url = '/' }: IncomingMessage, answer: ServerResponse): Promise<void> {
	const response = await fetch(new URL(url, target), { headers: { 'accept-encoding': 'identity' } })
	const page = await response.text()
	const nonce = /<script nonce="([^"]+)"/.exec(page)?.[1] ?? ''
	const headers = ['content-type', 'content-security-policy', 'cache-control'].flatMap((name) => {
		const value = response.headers.get(name)
		return value === null ? [] : [[name, value] as const]
	})
	answer.writeHead(response.status, Object.fromEntries(headers))
	answer.end(page.replace('<head>', `<head><script nonce="${nonce}">${NOTE_ERRORS}</script>`))
}
