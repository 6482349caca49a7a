import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { closeBrowser, launchBrowser } from '#test/browsers/browser.ts'
import { startProduct, type Product, type ProductOptions } from '#test/full-stack.ts'
import { IN_TURN_VARIABLE } from '../../scripts/testing/files-in-turn.ts'
import { fillWithDemoData, readDemoSnapshot } from './demo-snapshot.ts'
import { watchErrors, type ErrorWatch } from './page-errors.ts'
import { createPagePool } from './page-pool.ts'
import { openSessionOf, type Person } from './people.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** Sizes of a page: of a desktop window, which is the default, and of a phone. */
export const SIZES = [
	{ width: 1440, height: 900 },
	{ width: 390, height: 844 },
] as const

export interface PageFixture extends Pick<ErrorWatch, 'allow' | 'tolerate'> {
	page: Page
}

export interface PageOptions {
	/** Person whose session the browser has; signed out by default. */
	as?: Person
	size?: { width: number; height: number }
	/** True for a touch screen. */
	touch?: boolean
	/** Allows the app's service worker to run. */
	hasWorker?: boolean
	/** Origin of a proxy to the product, which the page opens instead. */
	through?: string
	/** True when the test leaves the product for a page of the simulator. */
	leaves?: boolean
}

export interface AppOptions extends ProductOptions {
	/** Creates the data; the demo data by default. */
	fill?: (product: Product) => Promise<unknown>
}

export interface LaunchedApp {
	product: Product
	/** Opens a new session of the user with this address, without the sign-in form. */
	signedIn(email: string): Promise<Person>
	/** Runs `act` on a page in a new browser context. Rejects when the page reports an error. */
	withPage(options: PageOptions, act: (fixture: PageFixture) => Promise<void>): Promise<void>
}

/** Flags of V8. A test's page does not live long enough to repay the compilation of its code, nor many small collections of garbage. */
const V8_FLAGS = '--js-flags=--no-turbofan --no-maglev --min-semi-space-size=16'

/** Browser of all files that run in turn in this process; ends with the process. */
let shared: Browser | undefined
let apps = 0

/** Starts the product with its web app and demo data, and stops it after the file's tests. */
export async function launchApp(options: AppOptions = {}): Promise<LaunchedApp> {
	if (!shared?.isConnected()) shared = await launchBrowser([V8_FLAGS])
	const browser = shared
	const { close, ...app } = await startIn(browser, options)
	apps++
	after(async () => {
		await close()
		apps--
		if (apps === 0 && process.env[IN_TURN_VARIABLE] === undefined) await closeBrowser(browser)
	})
	return app
}

interface StartedApp extends LaunchedApp {
	close(): Promise<void>
}

/** Starts the app with a browser of its own for a program without tests, which must call `close`. */
export async function startApp(options: AppOptions = {}): Promise<StartedApp> {
	const browser = await launchBrowser()
	const { close, ...app } = await startIn(browser, options)
	return {
		...app,
		async close() {
			await closeBrowser(browser)
			await close()
		},
	}
}

async function startIn(browser: Browser, { fill = fillWithDemoData, ...options }: AppOptions): Promise<StartedApp> {
	buildWebApp()
	const dataDir = await mkdtemp(join(tmpdir(), 'test-e2e-'))
	const snapshot = fill === fillWithDemoData ? readDemoSnapshot() : undefined
	if (snapshot) await cp(snapshot.folder, dataDir, { recursive: true })
	const product = await startProduct({
		kind: 'demo',
		...options,
		original: snapshot?.database,
		stateDir: snapshot && join(dataDir, 'simulator'),
		env: { DATA_DIR: dataDir, ...options.env },
	})
	await fill(product)
	const pages = createPagePool(browser)
	return {
		product,
		async close() {
			await pages.close()
			await product.close()
			await rm(dataDir, { recursive: true, force: true })
		},
		signedIn: (email) => openSessionOf(product, email),
		async withPage(order, act) {
			const { as, size = SIZES[0], touch = false, hasWorker = false } = order
			const { through = product.process.url, leaves = false } = order
			const { origin } = new URL(through)
			const stored = as?.storedAt(origin).origins[0]?.localStorage ?? []
			const page = await pages.take({ origin, size, touch, hasWorker, stored })
			const { allow, tolerate, errors, hasFailures } = watchErrors(
				page,
				leaves ? [origin, new URL(product.simulator.url).origin] : [origin],
			)
			try {
				await act({ page, allow, tolerate })
			} catch (error) {
				const reported = errors().map((text) => `\n  ${text}`)
				const place = `at ${page.url()}, screenshot in ${await screenshot(page)}`
				await page.context().close()
				throw new Error(`${String(error)}\n${place}${reported.join('')}`, { cause: error })
			}
			await pages.giveBack(page, { hasFailures: hasFailures() })
			if (errors().length > 0) throw new Error(errors().join('\n'))
		},
	}
}

/** Builds the web app, unless the build is newer than its sources. A run with a snapshot has built it for all files. */
function buildWebApp() {
	if (readDemoSnapshot()) return
	const { status } = spawnSync(process.execPath, [join(ROOT, 'scripts/bootstrap.mjs'), 'build'], { stdio: 'inherit' })
	if (status !== 0) throw new Error('the web app could not be built')
}

async function screenshot(page: Page): Promise<string> {
	const path = join('test-results', `${Date.now()}.png`)
	mkdirSync(join(ROOT, 'test-results'), { recursive: true })
	await page.screenshot({ path: join(ROOT, path), fullPage: true })
	return path
}
