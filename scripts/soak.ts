// `npm run soak`: accounts import, send campaigns, chat and export concurrently for 20 minutes (`--minutes`), with webhooks for
// all of it, while a worker or a web server is killed every 20 seconds. Exits with 1 unless no client saw an error other than
// broken connections that it retried, no message was lost or sent twice, and no memory grew.
import { parseArgs } from 'node:util'
import { findFailures } from '#test/drill/scenario.ts'
import { runMixedSoak } from '#test/soak/mixed.ts'

const MAX_LISTED = 20

const { values } = parseArgs({
	options: { minutes: { type: 'string', default: '20' }, accounts: { type: 'string', default: '20' } },
})
const startedAt = performance.now()
const soak = await runMixedSoak({
	minutes: Number(values.minutes),
	accounts: Number(values.accounts),
	log: (line) => console.log(`${((performance.now() - startedAt) / 1000).toFixed(1).padStart(6)} s  ${line}`),
})

const { messages, counts, memory, notes } = soak
const rows: [string, string | number][] = [
	...Object.entries(counts.answered),
	['calls repeated after their connection broke', counts.repeated],
	['messages of campaigns', messages],
	...Object.entries(memory).map(([name, [first, last]]): [string, string] => [
		`memory of a ${name}`,
		`${first.toFixed(0)} MB, then ${last.toFixed(0)} MB`,
	]),
]
for (const [name, value] of rows) console.log(`${name.padEnd(48)} ${value}`)
for (const note of [...notes, ...counts.errors].slice(0, MAX_LISTED)) console.log(`  ${note}`)
const failures = findFailures(soak)
for (const failure of failures) console.log(`FAILED: ${failure}`)
if (failures.length === 0) console.log('PASSED')
// Sockets of a killed server may stay open.
process.exit(failures.length === 0 ? 0 : 1)
