// `npm run test:money`: runs 100,000 random histories of money, and compares each with a model after every step. Stops at the
// first that breaks a rule, and prints its seed and its shortest form. `--seed` sets the first seed; `--histories 100 --steps
// 2000` runs longer ones; `--payments` mixes online payments into them. Exits with 1 for a broken rule, and with 2 if the
// connection to the database is lost.
import { parseArgs } from 'node:util'
import { startTestPostgres } from '#test/servers/postgres-server.ts'

const { values } = parseArgs({
	options: {
		seed: { type: 'string', default: '1' },
		histories: { type: 'string', default: '100000' },
		steps: { type: 'string', default: '14' },
		payments: { type: 'boolean', default: false },
	},
})
const [seed, histories, steps] = [values.seed, values.histories, values.steps].map(Number) as [number, number, number]
const postgres = await startTestPostgres()
try {
	Object.assign(process.env, { TEST_DATABASE_URL: postgres.url, TEST_LISTEN_URL: '' })
	// Imported late, because the module reads the address of the database when it loads.
	const { LostConnection } = await import('#test/money-histories/broken-history.ts')
	const { GROUP_SIZE, openStage, runHistories } = await import('#test/money-histories/run.ts')
	const stage = await openStage(Math.min(GROUP_SIZE, histories))
	try {
		await runHistories(stage, { seed, histories, steps, hasPayments: values.payments, log: console.log })
		console.log('Every account was what its model said after every step.')
	} catch (error) {
		console.error((error as Error).message)
		process.exitCode = error instanceof LostConnection ? 2 : 1
	} finally {
		await stage.app.close()
	}
} finally {
	await postgres.stop()
}
