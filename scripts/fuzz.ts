// `npm run test:fuzz`: sends 20,000 requests generated from the contract, among them 1 MB in every text, 10,000 entries in
// every list, deep nesting, hostile files, and the worst bodies of each call's full size. Exits with 1 unless each was answered
// with a result or a message, the server's thread was never busy for a second, and its memory returned to its size before.
// `--seed` repeats an earlier run.
import { parseArgs } from 'node:util'
import type { FuzzOptions } from '#test/hostile/fuzz.ts'
import { startTestPostgres } from '#test/servers/postgres-server.ts'

const MAX_TURN_MS = 1000
const MAX_GROWTH_BYTES = 50e6
const MAX_LISTED = 20

const { values } = parseArgs({
	options: {
		seed: { type: 'string', default: String(Date.now() % 1_000_000) },
		requests: { type: 'string', default: '20000' },
	},
})
const options: FuzzOptions = {
	seed: Number(values.seed),
	requests: Number(values.requests),
	largeShare: 1,
	log: (line) => console.log(line),
}
console.log(`Seed ${options.seed}`)
const postgres = await startTestPostgres()
try {
	Object.assign(process.env, { TEST_DATABASE_URL: postgres.url, TEST_LISTEN_URL: '' })
	// Imported late, because the module reads the address of the database when it loads.
	const { runFuzz } = await import('#test/hostile/fuzz.ts')
	const result = await runFuzz(options)
	for (const fault of result.faults.slice(0, MAX_LISTED)) console.log(`✗ ${fault}`)
	console.log(`Answers: ${JSON.stringify(result.statuses)}, ${result.faults.length} faults`)
	console.log(
		`Longest turn of the thread: ${result.longestTurnMs.toFixed(0)} ms of processor time, delay of the event loop ${result.longestDelayMs.toFixed(0)} ms`,
	)
	console.log(`Heap: ${megabytes(result.heapBefore)} before, ${megabytes(result.heapAfter)} after`)
	const isFine =
		result.faults.length === 0 &&
		result.longestTurnMs < MAX_TURN_MS &&
		result.heapAfter < result.heapBefore + MAX_GROWTH_BYTES
	if (!isFine) process.exitCode = 1
} finally {
	await postgres.stop()
}

function megabytes(bytes: number): string {
	return `${(bytes / 1e6).toFixed(1)} MB`
}
