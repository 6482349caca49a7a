// `npm run test:browsers`: runs the main journey and every screen in Chromium, Firefox and WebKit, each with an empty console.
// Words choose browsers, as in `npm run test:browsers webkit`; `--sizes 390x844` sets the window sizes, by default a desktop's
// and a phone's. Screenshots are written to test-results/browsers.
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
	options: { sizes: { type: 'string', default: '1440x900,390x844' } },
	allowPositionals: true,
})
const sizes = values.sizes.split(',')
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
	const runs = browsers.flatMap((browser) => sizes.map((size) => ({ browser, size })))
	for (const [index, { browser, size }] of runs.entries()) {
		const problems = await problemsIn(browser, { size, index, origin: product.process.url })
		console.log(`${problems.length === 0 ? '✓' : '✗'} ${browser.name} ${size}`)
		for (const problem of new Set(problems)) console.log(`    ${problem}`)
		if (problems.length > 0) process.exitCode = 1
	}
} finally {
	await product.close()
	await rm(dataDir, { recursive: true, force: true })
}

interface Run {
	size: string
	/** Index of this run among all runs. */
	index: number
	origin: string
}

async function problemsIn(browser: TestedBrowser, { size, index, origin }: Run): Promise<string[]> {
	const missing = browser.missing()
	if (missing) return [missing]
	const run = `${browser.name}-${size}`
	const folder = join(OUT, run)
	const [width = 0, height = 0] = size.split('x').map(Number)
	rmSync(folder, { recursive: true, force: true })
	mkdirSync(folder, { recursive: true })
	let step = 'start'
	try {
		const tab = await browser.open({ origin, size: { width, height } })
		try {
			await runJourney({
				tab,
				folder,
				...filesOf(run, index),
				campaign: `From ${run}`,
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

/**
 * Writes the files of a run. Each run has its own numbers, because numbers that are already contacts are not uploaded again.
 */
function filesOf(run: string, index: number): { contacts: string; audience: string } {
	const write = (name: string, lines: string[]) => {
		const path = join(dataDir, `${run}-${name}.csv`)
		writeFileSync(path, lines.join('\n'))
		return path
	}
	const numberOf = (place: number) => `98${String(70_000_000 + index * 1000 + place)}`
	return {
		contacts: write('contacts', [
			'firstName,lastName,number',
			...[1, 2, 3].map((place) => `Journey ${place},Rao,${numberOf(place)}`),
		]),
		audience: write('audience', [
			'Customer,Mobile',
			...['Asha', 'Binod', 'Chitra'].map((name, at) => `${name},${numberOf(at + 1)}`),
		]),
	}
}
