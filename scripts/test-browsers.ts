// `npm run test:browsers`: the main journey and every screen in Chromium, Firefox and WebKit, each with an empty console. Words
// choose browsers, as in `npm run test:browsers webkit`; `--size 390x844` sets the window. The screenshots are in
// test-results/browsers.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { runJourney } from '#test/browsers/journey.ts'
import { chromium, firefox } from '#test/browsers/puppeteer-browser.ts'
import type { TestedBrowser } from '#test/browsers/tab.ts'
import { webkit } from '#test/browsers/webkit-browser.ts'
import { fillWithDemoData } from '#test/e2e/demo-snapshot.ts'
import { startProduct } from '#test/full-stack.ts'

const OUT = resolve(import.meta.dirname, '../test-results/browsers')

const { values, positionals } = parseArgs({
	options: { size: { type: 'string', default: '1440x900' } },
	allowPositionals: true,
})
const [width = 0, height = 0] = values.size.split('x').map(Number)
const browsers = [chromium, firefox, webkit].filter(
	({ name }) => positionals.length === 0 || positionals.includes(name),
)

const dataDir = await mkdtemp(join(tmpdir(), 'test-browsers-'))
const product = await startProduct({
	env: { DATA_DIR: dataDir },
	statuses: { sentMs: 100, deliveredMs: 1000, readMs: 2000, readRate: 1 },
})
try {
	await fillWithDemoData(product)
	for (const browser of browsers) {
		const problems = await problemsIn(browser, product.process.url)
		console.log(`${problems.length === 0 ? '✓' : '✗'} ${browser.name}`)
		for (const problem of new Set(problems)) console.log(`    ${problem}`)
		if (problems.length > 0) process.exitCode = 1
	}
} finally {
	await product.close()
	await rm(dataDir, { recursive: true, force: true })
}

async function problemsIn(browser: TestedBrowser, origin: string): Promise<string[]> {
	const missing = browser.missing()
	if (missing) return [missing]
	const folder = join(OUT, `${browser.name}-${values.size}`)
	rmSync(folder, { recursive: true, force: true })
	mkdirSync(folder, { recursive: true })
	let step = 'start'
	try {
		const tab = await browser.open({ origin, size: { width, height } })
		try {
			await runJourney({
				tab,
				folder,
				...filesOf(browser),
				campaign: `From ${browser.name}`,
				onStep: (name) => (step = name),
			})
			return await tab.errors()
		} catch (error) {
			return [`${step}: ${String(error)}`, ...(await tab.errors())]
		} finally {
			await tab.close()
		}
	} catch (error) {
		return [`${step}: ${String(error)}`]
	}
}

/** Each browser has numbers of its own, since one that is in the contacts already is not uploaded again. */
function filesOf(browser: TestedBrowser): { contacts: string; audience: string } {
	const write = (name: string, lines: string[]) => {
		const path = join(dataDir, `${browser.name}-${name}.csv`)
		writeFileSync(path, lines.join('\n'))
		return path
	}
	const numberOf = (index: number) => `98${String(70_000_000 + browsers.indexOf(browser) * 1000 + index)}`
	return {
		contacts: write('contacts', [
			'firstName,lastName,number',
			...[1, 2, 3].map((index) => `Journey ${index},Rao,${numberOf(index)}`),
		]),
		audience: write('audience', [
			'Customer,Mobile',
			...['Asha', 'Binod', 'Chitra'].map((name, index) => `${name},${numberOf(index + 1)}`),
		]),
	}
}
