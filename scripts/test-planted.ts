// `npm run test:planted`: plants each fault of test/planted in a copy of the source, one at a time, and runs the tests that
// should detect it. Exits with 1 unless each fault is detected, and all tests pass without a fault. Words choose faults by name
// or file: `npm run test:planted ledger`.
import { spawn, type ChildProcess } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { PlantedFault } from '#test/planted/fault.ts'
import { PLANTED_FAULTS, withFault } from '#test/planted/faults.ts'
import { startTestPostgres } from '#test/servers/postgres-server.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const COPIED = ['src', 'embedded', 'simulator', 'test', 'scripts', 'db', 'package.json', 'package-lock.json']
const CONCURRENCY = 2
/** Maximum time of a run; a fault may keep a test from ending. */
const TIMEOUT_MS = 240_000
/** Variables by which tests with random histories draw more of them than in `npm test`. */
const LONGER = { MONEY_HISTORIES: '1000', MONEY_RUNS: '60' }
const NO_END = 'The tests did not end in their time.'
const MAX_SHOWN = 3000

const running = new Set<ChildProcess>()

type Verdict = 'noticed' | 'no end' | 'NOT NOTICED'

/** Runs test files in a copy of the source. Returns their output if a test fails or does not end, otherwise null. */
function runTests(folder: string, { files, databaseUrl }: { files: readonly string[]; databaseUrl: string }) {
	const args = ['--test', '--test-reporter=dot', '--test-concurrency=1', '--test-timeout=120000', ...files]
	const env = {
		...process.env,
		...LONGER,
		TEST_DATABASE_URL: databaseUrl,
		TEST_LISTEN_URL: '',
		FORCE_COLOR: '0',
	}
	return new Promise<string | null>((resolve) => {
		const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
		let output = ''
		for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text.toString()))
		running.add(child)
		const timer = setTimeout(() => end(child), TIMEOUT_MS)
		child.on('close', (code) => {
			clearTimeout(timer)
			running.delete(child)
			resolve(code === 0 ? null : code === null ? NO_END : output)
		})
	})
}

/** Ends a process and all processes that it started, which are in its group. */
function end({ pid }: ChildProcess): void {
	if (pid !== undefined) process.kill(-pid, 'SIGKILL')
}

async function copyOfSource(): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), 'planted-'))
	for (const name of COPIED) await cp(join(ROOT, name), join(folder, name), { recursive: true })
	for (const name of ['node_modules', 'dist']) await symlink(join(ROOT, name), join(folder, name))
	return folder
}

async function judge(fault: PlantedFault, folder: string, databaseUrl: string): Promise<Verdict> {
	const path = join(folder, fault.file)
	const sound = await readFile(path, 'utf8')
	await writeFile(path, withFault(fault, folder))
	try {
		// Files run one after the other, because the first usually detects the fault.
		for (const file of fault.tests) {
			const output = await runTests(folder, { files: [file], databaseUrl })
			if (output !== null) return output === NO_END ? 'no end' : 'noticed'
		}
		return 'NOT NOTICED'
	} finally {
		await writeFile(path, sound)
	}
}

/** Processes the items in several folders in parallel: a folder takes the next item when it has finished its last. */
async function shareOut<T>(
	items: readonly T[],
	folders: readonly string[],
	work: (item: T, folder: string) => Promise<void>,
): Promise<void> {
	const waiting = items.values()
	await Promise.all(
		folders.map(async (folder) => {
			for (const item of waiting) await work(item, folder)
		}),
	)
}

async function main(databaseUrl: string, folders: readonly string[]): Promise<boolean> {
	const words = process.argv.slice(2)
	const isChosen = ({ name, file }: PlantedFault) =>
		words.length === 0 || words.some((word) => `${file} ${name}`.includes(word))
	const faults = PLANTED_FAULTS.filter(isChosen)
	// Checks all faults before the long runs: a fault whose text is missing from the source proves nothing.
	for (const fault of faults) withFault(fault, ROOT)
	let isSound = true
	await shareOut([...new Set(faults.flatMap(({ tests }) => tests))], folders, async (file, folder) => {
		const output = await runTests(folder, { files: [file], databaseUrl })
		if (output === null) return
		isSound = false
		console.log(`fails without a fault: ${file}\n${output.slice(-MAX_SHOWN)}`)
	})
	const verdicts = new Map<Verdict, number>()
	await shareOut(isSound ? faults : [], folders, async (fault, folder) => {
		const startedAt = performance.now()
		const verdict = await judge(fault, folder, databaseUrl)
		verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1)
		const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
		console.log(`${verdict.padEnd(11)} ${seconds.padStart(6)} s  ${fault.name} (${fault.file})`)
	})
	// A test that does not end has detected the fault too.
	const noticed = (verdicts.get('noticed') ?? 0) + (verdicts.get('no end') ?? 0)
	console.log(`${noticed} of ${faults.length} faults noticed`)
	return faults.length > 0 && noticed === faults.length
}

const postgres = await startTestPostgres()
const folders: string[] = []
const close = async () => {
	await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })))
	await postgres.stop()
}
const stop = () => {
	for (const child of running) end(child)
	void close().then(() => process.exit(130))
}
process.once('SIGINT', stop).once('SIGTERM', stop)
try {
	for (let index = 0; index < CONCURRENCY; index++) folders.push(await copyOfSource())
	if (!(await main(postgres.url, folders))) process.exitCode = 1
} finally {
	await close()
}
