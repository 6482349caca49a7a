// `npm run soak:crash`: three workers and a web server send 20,000 messages while they, PostgreSQL and their connections are
// killed, cut and silenced at random, and the network breaks the connections of some calls. Exits with 1 unless no recipient
// got a message twice, none was lost, all money adds up, each fault happened dozens of times, and at most 1 % were given up
// besides the messages that the network lost. `--seed` repeats the events of an earlier run.
import { parseArgs } from 'node:util'
import { EVENT_KINDS } from '#test/soak/events.ts'
import { DEFAULT_OPTIONS, type SoakOptions } from '#test/soak/options.ts'
import { runSoak, type SoakResult } from '#test/soak/soak.ts'

const MAX_LISTED = 20

const { values } = parseArgs({
	options: {
		seed: { type: 'string', default: String(Date.now() % 1_000_000) },
		workers: { type: 'string', default: String(DEFAULT_OPTIONS.workers) },
		senders: { type: 'string', default: String(DEFAULT_OPTIONS.senders) },
		recipients: { type: 'string', default: String(DEFAULT_OPTIONS.recipients) },
		events: { type: 'string', default: String(DEFAULT_OPTIONS.events) },
		'gap-ms': { type: 'string', default: String(DEFAULT_OPTIONS.gapMs) },
		'unknown-after': { type: 'string', default: String(DEFAULT_OPTIONS.unknownAfterSeconds) },
		keep: { type: 'boolean', default: DEFAULT_OPTIONS.keepsFolder },
	},
})

const startedAt = performance.now()
const options: SoakOptions = {
	...DEFAULT_OPTIONS,
	seed: values.seed,
	workers: Number(values.workers),
	senders: Number(values.senders),
	recipients: Number(values.recipients),
	events: Number(values.events),
	gapMs: Number(values['gap-ms']),
	unknownAfterSeconds: Number(values['unknown-after']),
	keepsFolder: values.keep,
	log: (line) => console.log(`${((performance.now() - startedAt) / 1000).toFixed(1).padStart(6)} s  ${line}`),
}

console.log(`Seed ${options.seed}`)
const result = await runSoak(options)
print(result)
process.exitCode = result.failures.length === 0 ? 0 : 1
// Sockets of a killed server may stay open.
process.exit()

function print(soak: SoakResult): void {
	const { lost, givenUp } = soak
	const share = (count: number) => `${count} (${((100 * count) / Math.max(1, soak.messages)).toFixed(2)} %)`
	console.log('\nEvent                      times   recovery: median    longest   not seen')
	for (const kind of EVENT_KINDS) printEvent(kind, soak)
	console.log('\nFault of a connection to the network   times')
	for (const [name, times] of Object.entries(soak.network.counts)) printRow(name, times)
	const rows: [string, string | number][] = [
		['messages', soak.messages],
		['accepted by the network', soak.accepted],
		['  without an answer that says so', soak.network.unanswered],
		['duplicates', soak.duplicates.length],
		['lost', lost.stuck + lost.acceptedButFailed + lost.neverAccepted + lost.statusUpdatesLost],
		['  still pending', lost.stuck],
		['  accepted, and said to have failed', lost.acceptedButFailed],
		['  said to be sent, and never accepted', lost.neverAccepted],
		['  report of delivery lost', lost.statusUpdatesLost],
		['drift', soak.drift.length],
		['given up', share(givenUp.received + givenUp.notReceived)],
		['  accepted by the network', givenUp.received],
		['  not accepted', givenUp.notReceived],
		['requests that the network may have lost', soak.network.mayBeLost],
		['calls over HTTP/2, which was offered', soak.network.http2Calls],
		['refused by the network', soak.refused],
		['processes that ended by themselves', soak.unplannedExits],
		['seconds', soak.seconds.toFixed(1)],
	]
	console.log('')
	for (const [name, value] of rows) printRow(name, value)
	for (const failure of soak.failures.slice(0, MAX_LISTED)) console.log(`FAILED: ${failure}`)
	if (soak.failures.length === 0) console.log('PASSED')
}

function printRow(name: string, value: string | number): void {
	console.log(`${name.padEnd(40)} ${value}`)
}

function printEvent(kind: string, { recoveries }: SoakResult): void {
	const events = recoveries.filter((event) => event.kind === kind)
	const times = events.map(({ recoveryMs }) => recoveryMs).filter((ms) => ms !== null)
	const sorted = times.toSorted((a, b) => a - b)
	const median = inSeconds(sorted[Math.floor(sorted.length / 2)])
	const notSeen = String(events.length - times.length).padStart(10)
	console.log(
		`${kind.padEnd(26)} ${String(events.length).padStart(5)}  ${median.padStart(17)} ${inSeconds(sorted.at(-1))} ${notSeen}`,
	)
}

function inSeconds(ms: number | undefined): string {
	return (ms === undefined ? '-' : `${(ms / 1000).toFixed(1)} s`).padStart(10)
}
