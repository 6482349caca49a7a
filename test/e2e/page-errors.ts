import type { Page } from 'playwright-core'

export interface ErrorWatch {
	/** Expects a console message or failed request that the test provokes, such as the browser's own note of a 401. */
	allow(pattern: RegExp): void
	/** Accepts one that depends on which calls happen to be under way. */
	tolerate(pattern: RegExp): void
	/** The errors so far, and the expected messages that were never written. */
	errors(): string[]
}

// Only the page that violates the policy is notified: its console carries the violation to the listener below.
const LOG_POLICY_VIOLATIONS = `addEventListener('securitypolicyviolation', (event) =>
	console.error('CSP forbids ' + event.blockedURI + ' as ' + event.violatedDirective))`

/** Pages that log their violations already: a script that is added to a page stays. */
const logging = new WeakSet<Page>()

/** Collects console messages, uncaught errors, policy violations, failed requests and requests to other origins. */
export async function watchErrors(page: Page, origin: string): Promise<ErrorWatch> {
	const found: string[] = []
	const allowed: { pattern: RegExp; seen: boolean }[] = []
	const note = (text: string) => {
		const known = allowed.find(({ pattern }) => pattern.test(text))
		if (known) known.seen = true
		else found.push(text)
	}
	page.on('console', (message) => {
		if (message.type() !== 'error' && message.type() !== 'warning') return
		// In pages whose test lets no service worker run.
		if (message.text().startsWith('Service Worker registration blocked')) return
		note(`console ${message.type()}: ${message.text()} (${message.location().url})`)
	})
	page.on('pageerror', (error) => found.push(`page error: ${error.stack ?? error.message}`))
	page.on('request', (request) => {
		const isOurs = /^(data|blob|about):/.test(request.url()) || new URL(request.url()).origin === origin
		if (!isOurs) found.push(`request to another origin: ${request.url()}`)
	})
	page.on('response', (response) => {
		if (response.status() >= 500) note(`answer ${response.status()} from ${response.url()}`)
	})
	page.on('requestfailed', (request) => {
		const reason = request.failure()?.errorText ?? 'failed'
		// The page was closed or cancelled the request.
		if (reason !== 'net::ERR_ABORTED') note(`request failed: ${request.url()} ${reason}`)
	})
	if (!logging.has(page)) await page.addInitScript(LOG_POLICY_VIOLATIONS)
	logging.add(page)
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
	}
}
