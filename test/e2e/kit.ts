import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { launchBrowser } from '#test/browser.ts'
import { startProduct, type Product, type ProductOptions } from '#test/product.ts'
import { createDemoData } from '../../scripts/demo/data.ts'
import { createDemoNetwork } from '../../scripts/demo/network.ts'
import { watch, type Watch } from './faults.ts'
import { openDoor, type Person } from './people.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

export interface Visit extends Pick<Watch, 'allow'> {
	page: Page
}

export interface VisitOptions {
	/** Whose session the browser holds; nobody's when left out. */
	as?: Person
	size?: { width: number; height: number }
}

export interface Stage {
	product: Product
	/** Somebody with this address, signed in anew without the form. */
	signedIn(email: string): Promise<Person>
	/** A browser of its own for one test, which fails with the page's first complaint. */
	visit(options: VisitOptions, act: (visit: Visit) => Promise<void>): Promise<void>
}

/** The whole product with its web app and demo data, and one browser; gone when the file's tests are done. */
export async function openStage(options: ProductOptions = {}): Promise<Stage> {
	buildWebApp()
	const dataDir = await mkdtemp(join(tmpdir(), 'test-e2e-'))
	const product = await startProduct({ ...options, env: { DATA_DIR: dataDir, ...options.env } })
	await createDemoData(product.process.context, await createDemoNetwork(product.simulator))
	const browser = await launchBrowser()
	after(async () => {
		await browser.close()
		await product.close()
		await rm(dataDir, { recursive: true, force: true })
	})
	const origin = new URL(product.process.url).origin
	return {
		product,
		signedIn: (email) => openDoor(product, email),
		async visit({ as, size = { width: 1440, height: 900 } }, act) {
			const given: BrowserContextOptions = { baseURL: origin, viewport: size, reducedMotion: 'reduce' }
			const context = await browser.newContext({ ...given, ...(as && { storageState: as.storedAt(origin) }) })
			context.setDefaultTimeout(20_000)
			const page = await context.newPage()
			const { allow, faults } = await watch(page, origin)
			try {
				await act({ page, allow })
			} catch (error) {
				const heard = faults().map((fault) => `\n  ${fault}`)
				throw new Error(`at ${page.url()}, pictured in ${await picture(page)}${heard.join('')}`, { cause: error })
			} finally {
				await context.close()
			}
			if (faults().length > 0) throw new Error(faults().join('\n'))
		},
	}
}

/** Does nothing while the app is newer than its sources. */
function buildWebApp() {
	const { status } = spawnSync(process.execPath, [join(root, 'scripts/ready.mjs'), 'build'], { stdio: 'inherit' })
	if (status !== 0) throw new Error('the web app could not be built')
}

async function picture(page: Page): Promise<string> {
	const path = join('test-results', `${Date.now()}.png`)
	mkdirSync(join(root, 'test-results'), { recursive: true })
	await page.screenshot({ path: join(root, path), fullPage: true })
	return path
}
