import type { Page } from 'playwright-core'

export interface ErrorWatch {
	/** Requires a console message or failed request that the test causes, such as the browser's message about a 401. */
	allow(pattern: RegExp): void
	/** Accepts a message that appears in some runs only, because it depends on the calls in progress. */
	tolerate(pattern: RegExp): void
	/** Returns the errors so far, and the expected messages that never appeared. */
	errors(): string[]
	/** Returns true if a request has failed or had an answer of 500 or above. The app does not report each of them. */
	hasFailures(): boolean
}

/**
 * Script of every page that logs policy violations. Only the violating page is notified, so its console carries the violation to
 * the listener of `watchErrors`.
 */
export const LOG_POLICY_VIOLATIONS = `addEventListener('securitypolicyviolation', (event) =>
	console.error('CSP forbids ' + event.blockedURI + ' as ' + event.violatedDirective))`

/** Collects console messages, uncaught errors, policy violations, failed requests and requests to other origins than these. */
export function watchErrors(page: Page, origins: readonly string[]): ErrorWatch {
	const found: string[] = []
	const allowed: { pattern: RegExp; seen: boolean }[] = []
	let failures = 0
	const note = (text: string) => {
		const known = allowed.find(({ pattern }) => pattern.test(text))
		if (known) known.seen = true
		else found.push(text)
	}
	page.on('console', (message) => {
		if (message.type() !== 'error' && message.type() !== 'warning') return
		// Appears in pages whose test does not allow a service worker.
		if (message.text().startsWith('Service Worker registration blocked')) return
		note(`console ${message.type()}: ${message.text()} (${message.location().url})`)
	})
	page.on('pageerror', (error) => found.push(`page error: ${error.stack ?? error.message}`))
	page.on('request', (request) => {
		const isOurs = /^(data|blob|about):/.test(request.url()) || origins.includes(new URL(request.url()).origin)
		if (!isOurs) found.push(`request to another origin: ${request.url()}`)
	})
	page.on('response', (response) => {
		if (response.status() < 500) return
		failures++
		note(`answer ${response.status()} from ${response.url()}`)
	})
	page.on('requestfailed', (request) => {
		const reason = request.failure()?.errorText ?? 'failed'
		// The page was closed or cancelled the request.
		if (reason === 'net::ERR_ABORTED') return
		failures++
		note(`request failed: ${request.url()} ${reason}`)
	})
	return {
		allow(pattern) {
			allowed.push({ pattern, seen: false })
		},
		tolerate(pattern) {
			allowed.push({ pattern, seen: true })
		},
		errors() {
			const missed = allowed.filter(({ seen }) => !seen).map(({ pattern }) => `expected, but not written: ${pattern}`)
			return [...found, ...missed]
		},
		hasFailures: () => failures > 0,
	}
}
