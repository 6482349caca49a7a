// Runs the integration tests with the server at TEST_DATABASE_URL: any PostgreSQL ≥ 15, one behind PgBouncer (then
// TEST_LISTEN_URL is its direct address), or a Citus coordinator, where every test database is distributed. Words choose test
// files by name, as in `npm run test:database wallet templates`. `npm run test:database clients` tests the simulator with
// public clients, which needs no database.
import { CLIENT_TESTS, findFiles, SYSTEM_TESTS, UNIT_TESTS } from './testing/files.ts'
import { stopScripts } from './testing/processes.ts'
import { withPublicClients } from './testing/public-clients.ts'
import { runTests } from './testing/steps.ts'

/** This test limits the seconds that 60 senders take, which three Citus servers on one machine keep only when it runs alone. */
const TIMED_TEST = 'test/balance.test.ts'

process.chdir(new URL('..', import.meta.url).pathname)

const words = process.argv.slice(2)
const files = findFiles([...UNIT_TESTS, ...SYSTEM_TESTS], words)
const clientFiles = findFiles(CLIENT_TESTS, words)
if (files.length > 0 && !process.env.TEST_DATABASE_URL) {
	console.error('Set TEST_DATABASE_URL to a PostgreSQL server on which databases may be created and dropped.')
	process.exit(1)
}
const stop = () => {
	stopScripts()
	process.exit(130)
}
process.once('SIGINT', stop).once('SIGTERM', stop)
const isTimed = (file: string) => file === TIMED_TEST
let [passed, failed] = [0, 0]
for (const [name, some, concurrency] of [
	['database tests', files.filter((file) => !isTimed(file)), 2],
	['timed database test', files.filter(isTimed), 1],
] as const) {
	if (some.length === 0) continue
	const counts = await runTests(name, some, { flags: [`--test-concurrency=${concurrency}`] })
	passed += counts.passed
	failed += counts.failed
}
if (clientFiles.length > 0) {
	const counts = await withPublicClients((folder) =>
		runTests('public clients', clientFiles, { env: { PUBLIC_CLIENTS: folder } }),
	)
	if (!counts) console.log('- public clients: not run, as the npm registry cannot be reached')
	passed += counts?.passed ?? 0
	failed += counts?.failed ?? 0
}
if (failed > 0) process.exitCode = 1
console.log(`${passed} passed, ${failed} failed`)
