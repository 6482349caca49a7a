import type { Browser } from 'playwright-core'
import { closeBrowser, launchBrowser } from '#test/browsers/browser.ts'
import { startApp } from '#test/e2e/fixtures.ts'
import { DEMO_USER } from '../scripts/demo/data.ts'
import { median } from './scenes/campaigns-data.ts'

/**
 * Measures the first visit to the dashboard and to Create Campaign on a network of 50 kB/s with a latency of 400 ms: the
 * time to the skeleton and to the first screen, and the bytes until then. `--before URL` measures another release with demo
 * data in turn, such as the previous one.
 */
const BYTES_PER_SECOND = 50_000
const LATENCY_MS = 400
const ROUNDS = 5
const MAX_SKELETON_MS = 1000
const MAX_SCREEN_MS = 4000
/** Selectors of what a first screen shows once it can be used. */
const SCREENS = { '/user/dashboard': 'main h2', '/user/create/template/campaign': 'main form input' }
/** Milliseconds within which a first screen must have appeared. */
const PATIENCE_MS = 60_000

const app = await startApp()
const before = process.argv[process.argv.indexOf('--before') + 1]
const origins: Record<string, string> = {
	now: app.product.process.url,
	...(process.argv.includes('--before') && before && { before }),
}
const browser = await launchBrowser()
let isMet = true
console.log(`${BYTES_PER_SECOND / 1000} kB/s, latency ${LATENCY_MS} ms, medians of ${ROUNDS} visits`)
for (const [path, usable] of Object.entries(SCREENS)) {
	const visits: Record<string, Visit[]> = {}
	for (let round = 0; round < ROUNDS; round++)
		for (const [name, origin] of Object.entries(origins))
			(visits[name] ??= []).push(await visit(browser, { origin, path, usable }))
	for (const [name, all] of Object.entries(visits)) {
		const of = (key: keyof Visit) => median(all.map((one) => one[key]))
		const figures = `skeleton ${of('skeletonMs').toFixed(0)} ms, first screen ${of('screenMs').toFixed(0)} ms`
		console.log(
			`  ${name.padEnd(6)} ${path}: ${figures}, ${(of('bytes') / 1000).toFixed(0)} kB, ${of('requests')} requests`,
		)
		if (name === 'now') isMet &&= of('skeletonMs') <= MAX_SKELETON_MS && of('screenMs') <= MAX_SCREEN_MS
	}
}
await closeBrowser(browser)
await app.close()
console.log(isMet ? 'all goals met' : `UNMET: wanted ${MAX_SKELETON_MS} ms and ${MAX_SCREEN_MS} ms`)
process.exitCode = isMet ? 0 : 1

interface Target {
	origin: string
	path: string
	/** Selector of what the screen shows once it can be used. */
	usable: string
}

interface Visit {
	skeletonMs: number
	/** Time at which the screen can be used, and no part of the skeleton is in the page. */
	screenMs: number
	bytes: number
	requests: number
}

/** Visits the path with an empty cache, signed in as the demo user. */
async function visit(of: Browser, { origin, path, usable }: Target): Promise<Visit> {
	const context = await of.newContext({ viewport: { width: 1440, height: 900 }, serviceWorkers: 'block' })
	const page = await context.newPage()
	const session = await signIn(origin)
	await page.addInitScript(`localStorage.setItem('token', ${JSON.stringify(session.token)})
		localStorage.setItem('user', ${JSON.stringify(JSON.stringify(session.user))})
		new MutationObserver(() => {
			const isShown = document.querySelector(${JSON.stringify(usable)}) && !document.querySelector('.shell')
			if (isShown) window.shownAt ??= performance.now()
		}).observe(document, { childList: true, subtree: true })`)
	const network = await context.newCDPSession(page)
	await network.send('Network.enable')
	await network.send('Network.emulateNetworkConditions', {
		offline: false,
		latency: LATENCY_MS,
		downloadThroughput: BYTES_PER_SECOND,
		uploadThroughput: BYTES_PER_SECOND,
	})
	const loaded = { bytes: 0, requests: 0 }
	network.on('Network.loadingFinished', ({ encodedDataLength }) => {
		loaded.bytes += encodedDataLength
		loaded.requests++
	})
	await page.goto(origin + path, { waitUntil: 'commit', timeout: PATIENCE_MS })
	await page.waitForFunction(() => Reflect.has(globalThis, 'shownAt'), undefined, { timeout: PATIENCE_MS })
	const untilShown = { ...loaded }
	const [skeletonMs, screenMs] = await page.evaluate<[number, number]>(
		"[performance.getEntriesByName('first-contentful-paint')[0].startTime, window.shownAt]",
	)
	await context.close()
	return { skeletonMs, screenMs, ...untilShown }
}

async function signIn(origin: string): Promise<{ token: string; user: object }> {
	const { email, password } = DEMO_USER
	const response = await fetch(`${origin}/api/auth/login`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ email, password }),
	})
	if (!response.ok) throw new Error(`${origin} refused the demo user: ${response.status}`)
	return (await response.json()) as { token: string; user: object }
}
