import type { Page } from 'playwright-core'

export interface Watch {
	/** A message on the console that the test brings about itself, such as the browser's own note of a 401. */
	allow(pattern: RegExp): void
	/** What went wrong so far, and what was allowed and never came. */
	faults(): string[]
}

// A policy that is broken is reported in the page that breaks it: said aloud there, it is heard here.
const tellViolations = `addEventListener('securitypolicyviolation', (event) =>
	console.error('CSP forbids ' + event.blockedURI + ' as ' + event.violatedDirective))`

/** Listens to everything that a page should never do: complain, throw, break its policy, fail to load, or leave its origin. */
export async function watch(page: Page, origin: string): Promise<Watch> {
	const found: string[] = []
	const allowed: { pattern: RegExp; seen: boolean }[] = []
	page.on('console', (message) => {
		if (message.type() !== 'error' && message.type() !== 'warning') return
		const text = `console ${message.type()}: ${message.text()} (${message.location().url})`
		const known = allowed.find(({ pattern }) => pattern.test(text))
		if (known) known.seen = true
		else found.push(text)
	})
	page.on('pageerror', (error) => found.push(`page error: ${error.stack ?? error.message}`))
	page.on('request', (request) => {
		const isOurs = /^(data|blob|about):/.test(request.url()) || new URL(request.url()).origin === origin
		if (!isOurs) found.push(`request to another origin: ${request.url()}`)
	})
	page.on('response', (response) => {
		if (response.status() >= 500) found.push(`answer ${response.status()} from ${response.url()}`)
	})
	page.on('requestfailed', (request) => {
		const reason = request.failure()?.errorText ?? 'failed'
		// The page that asked is gone, or no longer wants the answer.
		if (reason !== 'net::ERR_ABORTED') found.push(`request failed: ${request.url()} ${reason}`)
	})
	await page.addInitScript(tellViolations)
	return {
		allow(pattern) {
			allowed.push({ pattern, seen: false })
		},
		faults() {
			const missed = allowed.filter(({ seen }) => !seen).map(({ pattern }) => `allowed, but never came: ${pattern}`)
			return [...found, ...missed]
		},
	}
}
