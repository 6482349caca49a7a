// Runs all tests. `npm test -- --only checks|unit|browser` runs a part; further words choose test files by name. `--quick` runs
// the checks and the tests of changed files, with the tests of permissions, money and one journey. `--watch WORD…` repeats
// these files whenever they or their imports change; `--inspect WORD…` waits for a debugger.
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { startTestPostgres } from '#test/servers/postgres-server.ts'
import { findFiles, SYSTEM_TESTS, UNIT_TESTS } from './testing/files.ts'
import { followTests } from './testing/follow.ts'
import type { Counts } from './testing/node-tests.ts'
import { stopScripts } from './testing/processes.ts'
import { createQueue, type Queue } from './testing/queue.ts'
import { quickTests } from './testing/quick.ts'
import {
	createProcessorQueue,
	failStep,
	runCheck,
	runChecks,
	runTests,
	type Step,
	type TestOptions,
} from './testing/steps.ts'

process.chdir(new URL('..', import.meta.url).pathname)

const { values, positionals: words } = parseArgs({
	options: {
		only: { type: 'string' },
		quick: { type: 'boolean' },
		watch: { type: 'boolean' },
		inspect: { type: 'boolean' },
	},
	allowPositionals: true,
})
const positionals = values.quick ? quickTests() : words
/** Each file closes its app before the next file of the process starts. */
const UNIT_FILES = { isInTurn: true }
/** Two files at a time suffice: system tests mostly wait, for leases to end and outages to pass. */
const SYSTEM_FILES = { isInTurn: true, queue: createQueue(2) }
/** Files of a process use its browser in turn. Unit tests, which wait behind them, fill the processors when the last ones end. */
const BROWSER_FILES = { isInTurn: true }
const isFollowing = values.watch === true || values.inspect === true

/** Checks that run at a time. */
const CHECKS_AT_ONCE = 2
/** Threads of a check: its share of the processors. */
const THREADS = Math.max(1, Math.floor(availableParallelism() / CHECKS_AT_ONCE))
/**
 * Variables of checks that are Go programs. Each further thread checks the common types again, and a run is too short for
 * garbage collection: both together took a third of their processor time.
 */
const GO_VARIABLES = { GOMAXPROCS: String(THREADS), GOGC: 'off', GOMEMLIMIT: '2GiB' }

const CHECKS: Step[] = [
	{ name: 'types: server', args: typesOf('server'), env: GO_VARIABLES },
	{ name: 'types: web', args: typesOf('web'), env: GO_VARIABLES },
	{ name: 'lint', args: tool('oxlint/bin/oxlint'), env: GO_VARIABLES },
	{ name: 'dead code', args: [...tool('knip/bin/knip.js'), '--no-progress'] },
	{ name: 'format', args: [...tool('oxfmt/bin/oxfmt'), '--check'] },
	{ name: 'structure', args: ['scripts/check-structure.ts'] },
]

function tool(path: string) {
	return [`node_modules/${path}`]
}

// Returns the arguments that check the types of a part. The build info file speeds up the next run.
function typesOf(part: 'server' | 'web') {
	const project = ['-p', `tsconfig.${part}.json`, '--tsBuildInfoFile', `node_modules/.cache/tsc-${part}.tsbuildinfo`]
	return [...tool('typescript/bin/tsc'), ...project, '--pretty', 'false', '--checkers', String(Math.min(THREADS, 4))]
}

const wants = (part: string) => (values.only ? values.only === part : part !== 'checks' || words.length === 0)

const browserFiles = wants('browser') ? findFiles(['test/e2e/*.spec.ts'], positionals) : []

// Returns the path of Chromium. Imports Playwright late, because loading it takes as long as running many a test file.
async function findChromium(): Promise<string> {
	const { ensureChromium } = await import('#test/browsers/browser.ts')
	return ensureChromium()
}

async function runFiles(name: string, patterns: string[], options: TestOptions): Promise<Counts> {
	const files = findFiles(patterns, positionals)
	return files.length === 0 ? noFiles(name) : runTests(name, files, options)
}

// Returns true if the web app must be built. Tests in a browser need the current sources; the others need only some build.
function mustBuild(): boolean {
	return (!isFollowing && (positionals.length === 0 || browserFiles.length > 0)) || !existsSync('dist/web/index.html')
}

async function buildWebApp(): Promise<Counts[]> {
	const build = await runCheck({ name: 'web build', args: ['scripts/bootstrap.mjs', 'build'] })
	if (build.failed > 0) return [build]
	return [build, await runCheck({ name: 'download size', args: ['scripts/check-bundle.ts'], hasNote: true })]
}

async function runBrowserTests(files: string[], queue: Queue): Promise<Counts[]> {
	try {
		// A download of Chromium mostly waits for the network, while unit tests run.
		const chromium = await findChromium()
		// Imported late, because it loads the whole product.
		const { createDemoSnapshot } = await import('#test/e2e/demo-snapshot.ts')
		const snapshot = await createDemoSnapshot()
		try {
			const env = { ...snapshot.env, CHROME_PATH: chromium }
			return [await runTests('browser tests', files, { ...BROWSER_FILES, queue, isFirst: true, env })]
		} finally {
			await rm(snapshot.folder, { recursive: true, force: true })
		}
	} catch (error) {
		return [failStep('browser tests', (error as Error).message)]
	}
}

/**
 * Runs system, unit and browser tests in parallel. Browser tests and unit tests share a queue: the long browser tests run
 * first, so that all processors have work until the end.
 */
async function runAll(): Promise<Counts[]> {
	const built = mustBuild() ? await buildWebApp() : []
	if (built.some(({ failed }) => failed > 0)) return built
	const queue = createProcessorQueue()
	const system = wants('unit') ? runFiles('system tests', SYSTEM_TESTS, SYSTEM_FILES) : undefined
	const unit = wants('unit') ? runFiles('unit tests', UNIT_TESTS, { ...UNIT_FILES, queue }) : undefined
	const missing = wants('browser') && browserFiles.length === 0 ? [noFiles('browser tests')] : []
	const browser = browserFiles.length > 0 ? await runBrowserTests(browserFiles, queue) : missing
	return [...built, ...(unit ? [await unit] : []), ...browser, ...(system ? [await system] : [])]
}

// Returns the result of a part without tests: an error, unless the words of the command choose tests of other parts.
function noFiles(part: string): Counts {
	return positionals.length > 0 ? { passed: 0, failed: 0 } : failStep(part, 'There are none.')
}

async function followFiles(): Promise<Counts> {
	if (mustBuild()) await buildWebApp()
	const files = positionals.length > 0 ? findFiles([...UNIT_TESTS, ...SYSTEM_TESTS], positionals) : []
	return followTests(files, { isInspected: values.inspect === true })
}

async function runTestsOnPostgres(): Promise<Counts[]> {
	const postgres = await startTestPostgres({ isKept: positionals.length > 0 })
	const stop = () => {
		stopScripts()
		void postgres.stop().then(() => process.exit(130))
	}
	process.once('SIGINT', stop).once('SIGTERM', stop)
	try {
		// The processes of the test files inherit these variables.
		Object.assign(process.env, { TEST_DATABASE_URL: postgres.url, TEST_LISTEN_URL: '' })
		if (isFollowing) return [await followFiles()]
		return await runAll()
	} finally {
		await postgres.stop()
	}
}

const results = !isFollowing && wants('checks') ? await runChecks(CHECKS, CHECKS_AT_ONCE) : []
if (values.only !== 'checks') results.push(...(await runTestsOnPostgres()))
const passed = results.reduce((sum, counts) => sum + counts.passed, 0)
const failed = results.reduce((sum, counts) => sum + counts.failed, 0)
if (failed > 0 || passed === 0) process.exitCode = 1
console.log(`${passed} passed, ${failed} failed`)
