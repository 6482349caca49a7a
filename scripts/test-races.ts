// `npm run test:races`: runs every pair of the product's operations on one PostgreSQL in every interleaving of their
// statements. Stops with 1 at the first that breaks a promise, and prints the two statements and its seed. `--sample 50` runs
// 50 pairs, `--skip 50` all but the first 50, `--pair "order by API,sweep answers"` one; `--all` continues after a failure.
import { parseArgs } from 'node:util'
import { startTestPostgres } from '#test/servers/postgres-server.ts'

const { values } = parseArgs({
	options: {
		seed: { type: 'string', default: '1' },
		sample: { type: 'string' },
		skip: { type: 'string', default: '0' },
		pair: { type: 'string' },
		all: { type: 'boolean', default: false },
	},
})
const seed = Number(values.seed)
const [first, second] = values.pair?.split(',') ?? []
const postgres = await startTestPostgres()
try {
	Object.assign(process.env, { TEST_DATABASE_URL: postgres.url, TEST_LISTEN_URL: '' })
	// Imported late, because the modules read the address of the database when they load.
	const [{ openStage }, { runRaces }] = await Promise.all([
		import('#test/races/stage.ts'),
		import('#test/races/run.ts'),
	])
	const stage = await openStage()
	try {
		const { races, failures } = await runRaces(stage, {
			seed,
			sample: values.sample === undefined ? undefined : Number(values.sample),
			skip: Number(values.skip),
			pair: first === undefined || second === undefined ? undefined : [first, second],
			all: values.all,
			log: console.log,
		})
		for (const { pair, statements, broken } of failures) {
			console.error(`\n${pair} (seed ${seed}): ${broken.join('; ')}`)
			console.error(`  the first was about to send: ${statements[0].replaceAll(/\s+/g, ' ').slice(0, 300)}`)
			console.error(`  the second had sent last:    ${statements[1].replaceAll(/\s+/g, ' ').slice(0, 300)}`)
		}
		console.log(`${races} interleavings, ${failures.length} pairs that fail`)
		process.exitCode = failures.length === 0 ? 0 : 1
	} finally {
		await stage.close()
	}
} finally {
	await postgres.stop()
}
