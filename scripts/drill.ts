// `npm run drill`: causes a disaster in the middle of a campaign and counts the outcomes of its messages. Words choose
// scenarios by name; `--from REVISION` is the release that the upgrade starts from. Exits with 1 unless all counts are 0.
import { parseArgs } from 'node:util'
import { citus, rebalance } from '#test/drill/citus.ts'
import { failover } from '#test/drill/failover.ts'
import { restore } from '#test/drill/restore.ts'
import { findFailures, type DrillResult, type Scenario } from '#test/drill/scenario.ts'
import { standby } from '#test/drill/standby.ts'
import { upgrade } from '#test/drill/upgrade.ts'
import { worker } from '#test/drill/worker.ts'

const SCENARIOS: Scenario[] = [worker, failover, standby, restore, upgrade, citus, rebalance]

const { values, positionals } = parseArgs({ options: { from: { type: 'string' } }, allowPositionals: true })
const unknown = positionals.filter((name) => !SCENARIOS.some((scenario) => scenario.name === name))
if (unknown.length > 0) {
	console.error(`There is no drill "${unknown.join('", "')}". There are:`)
	for (const { name, about } of SCENARIOS) console.error(`  ${name.padEnd(10)} ${about}`)
	process.exit(2)
}

const startedAt = performance.now()
const log = (line: string) =>
	console.log(`${((performance.now() - startedAt) / 1000).toFixed(1).padStart(6)} s  ${line}`)
const results = new Map<string, DrillResult | string>()
for (const scenario of SCENARIOS.filter(({ name }) => positionals.length === 0 || positionals.includes(name))) {
	const missing = await scenario.missing({ from: values.from })
	if (missing === null) log(`${scenario.name}: ${scenario.about}`)
	results.set(scenario.name, missing ?? (await scenario.run({ from: values.from, log })))
}

console.log('\nDrill        messages  twice   lost  unfinished  shelved  refunded though received  findings')
const failures: string[] = []
for (const [name, result] of results) {
	if (typeof result === 'string') console.log(`${name.padEnd(10)}  not run: ${result}`)
	else print(name, result)
}
for (const failure of failures) console.log(`FAILED: ${failure}`)
const hasRun = [...results.values()].some((result) => typeof result !== 'string')
if (hasRun && failures.length === 0) console.log('PASSED')
process.exit(failures.length === 0 ? 0 : 1)

function print(name: string, result: DrillResult): void {
	const { messages, twice, lost, unfinished, shelved, refunded, findings } = result
	const cells = [
		[messages, 11],
		[twice, 7],
		[lost, 7],
		[unfinished, 12],
		[shelved, 9],
		[refunded, 26],
		[findings, 10],
	] as const
	console.log(name.padEnd(10) + cells.map(([count, width]) => String(count).padStart(width)).join(''))
	for (const [other, count] of Object.entries(result.others)) console.log(`  ${other}: ${count}`)
	for (const note of result.notes) console.log(`  ${note}`)
	failures.push(...findFailures(result).map((failure) => `${name}, ${failure}`))
}
