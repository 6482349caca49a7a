import { existsSync } from 'node:fs'
import { launch, type Browser, type Page } from 'puppeteer-core'
import { ensureChromium } from '#test/browsers/browser.ts'
import { SEE_TIMEOUT_MS, untilGone, type Tab, type TabOptions, type TestedBrowser } from './tab.ts'

const FIREFOX_PATHS = [
	process.env.FIREFOX_PATH ?? '',
	'/usr/bin/firefox-esr',
	'/usr/bin/firefox',
	'/Applications/Firefox.app/Contents/MacOS/firefox',
	'C:\\Program Files\\Mozilla Firefox\\firefox.exe',
]

export const chromium: TestedBrowser = {
	name: 'chromium',
	missing: () => null,
	async open(options) {
		// Chromium's sandbox refuses root, and containers have little shared memory.
		const asRoot = process.getuid?.() === 0 ? ['--no-sandbox', '--disable-dev-shm-usage'] : []
		const args = [...asRoot, '--disable-gpu']
		return openTab(await launch({ executablePath: await ensureChromium(), args }), options)
	},
}

const firefoxPath = () => FIREFOX_PATHS.find((path) => existsSync(path))

/** Firefox driven by WebDriver BiDi, which Firefox implements. */
export const firefox: TestedBrowser = {
	name: 'firefox',
	missing: () =>
		firefoxPath()
			? null
			: 'Install Firefox: "sudo apt-get install -y firefox-esr", or set FIREFOX_PATH to one of yours.',
	async open(options) {
		return openTab(await launch({ browser: 'firefox', executablePath: firefoxPath() ?? '' }), options)
	},
}

async function openTab(browser: Browser, { origin, size }: TabOptions): Promise<Tab> {
	const page = await browser.newPage()
	await page.setViewport(size)
	page.setDefaultTimeout(SEE_TIMEOUT_MS)
	const errors = collectErrors(page)
	const locate = (xpath: string) => page.locator(`xpath/${xpath}`)
	return {
		open: async (path) => void (await page.goto(new URL(path, origin).href)),
		see: async (xpath, timeoutMs = SEE_TIMEOUT_MS) =>
			void (await page.waitForSelector(`xpath/${xpath}`, { visible: true, timeout: timeoutMs })),
		seeNone: (xpath) => untilGone(xpath, async () => (await page.$(`xpath/${xpath}`)) !== null),
		click: (xpath) => locate(xpath).click(),
		fill: (xpath, text) => locate(xpath).fill(text),
		async choose(xpath, path) {
			const input = await page.waitForSelector(`xpath/${xpath}`)
			await (input as unknown as { uploadFile(path: string): Promise<void> }).uploadFile(path)
		},
		screenshot: async (path) => void (await page.screenshot({ path })),
		errors: async () => errors,
		close: () => browser.close(),
	}
}

function collectErrors(page: Page): string[] {
	const errors: string[] = []
	page.on('console', (message) => {
		const type = message.type()
		if (type === 'error' || type === 'warn' || type === 'assert') errors.push(`console ${type}: ${message.text()}`)
	})
	page.on('pageerror', (error) => errors.push(`uncaught: ${String(error)}`))
	page.on('response', (response) => {
		if (response.status() >= 400) errors.push(`answer ${response.status()} from ${response.url()}`)
	})
	page.on('requestfailed', (request) => {
		const reason = request.failure()?.errorText ?? 'failed'
		// The page was left or has cancelled the request.
		if (!/ABORT/i.test(reason)) errors.push(`request failed: ${request.url()} ${reason}`)
	})
	return errors
}
