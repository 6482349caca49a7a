import type { PlantedFault } from './fault.ts'

const senderModeTest = 'src/lib/server/pace/sender-mode.test.ts'
const senderMode = 'src/lib/server/pace/sender-mode.ts'
const inFlightWindowTest = 'src/lib/server/pace/in-flight-window.test.ts'
const inFlightWindow = 'src/lib/server/pace/in-flight-window.ts'
const pacerTest = 'src/lib/server/pace/pacer.test.ts'
const pacer = 'src/lib/server/pace/pacer.ts'

const graphClientTest = 'src/features/whatsapp/server/graph-client.test.ts'
const transport = 'src/features/whatsapp/server/transport.ts'

/** Faults in connections to Meta, outages and pacing. */
export const NETWORK_FAULTS: readonly PlantedFault[] = [
	// Connections to Meta.
	{
		name: 'the product uses HTTP/2 where it is offered',
		file: transport,
		text: 'allowH2: false',
		replacement: 'allowH2: true, preferH2: true',
		tests: [graphClientTest],
	},
	{
		name: 'a request that was begun is sent again',
		file: 'src/features/whatsapp/server/graph-client.ts',
		text: 'if (isStarted) throw',
		replacement: 'if (isStarted && !isStarted) throw',
		tests: [graphClientTest],
	},
	{
		name: 'an unexpected 100 ends the connection',
		file: transport,
		text: 'if (chunk) renameContinues(chunk)',
		replacement: 'if (!chunk) renameContinues(Buffer.alloc(0))',
		tests: [graphClientTest],
	},
	// Outages.
	{
		name: 'probes of an outage never slow down',
		file: senderMode,
		text: 'SLOWING ** Math.max(0, ++this.#mode.probes - PROBES_BEFORE_SLOWING)',
		replacement: 'SLOWING ** Math.min(0, ++this.#mode.probes)',
		tests: [senderModeTest],
	},
	{
		name: 'the interval of probes grows without a maximum',
		file: senderMode,
		text: 'Math.min(MAX_PROBE_INTERVAL_MS, intervalMs)',
		replacement: 'intervalMs',
		tests: [senderModeTest],
	},
	{
		name: 'a limit of the account takes five refusals',
		file: senderMode,
		text: "if (outage === 'silent' && ++this.#failures",
		replacement: 'if (++this.#failures',
		tests: [senderModeTest],
	},
	{
		name: 'an answer of Meta does not reset the count of failures',
		file: senderMode,
		text: "this.#failures = 0\n\t\tif (this.#mode.name !== 'probing') return false",
		replacement: "if (this.#mode.name !== 'probing') return false",
		tests: [senderModeTest],
	},
	{
		name: 'late failures of an outage begin another outage',
		file: senderMode,
		text: "if (sentAtMs < this.#changedAtMs || this.#mode.name === 'draining')",
		replacement: "if (this.#mode.name === 'draining')",
		tests: [senderModeTest],
	},
	{
		name: 'every sender probes an outage',
		file: senderMode,
		text: 'if (isDownForAll) return Math.max(mine,',
		replacement: 'if (isDownForAll) return Math.min(mine,',
		tests: [senderModeTest],
	},
	{
		name: 'a probe that was not sent makes the next ones rarer',
		file: senderMode,
		text: 'this.#mode.isUnderWay = false\n\t\tthis.#mode.probes--',
		replacement: 'this.#mode.isUnderWay = false',
		tests: [senderModeTest],
	},
	{
		name: 'the other senders wait for their next probe after one got through',
		file: senderMode,
		text: 'return succeededAtMs > askedAtMs ?',
		replacement: 'return succeededAtMs > this.#now() ?',
		tests: [senderModeTest],
	},
	// Pacing.
	{
		name: 'a run begins at the whole pace of its number',
		file: 'src/features/delivery/server/sending/sender-run.ts',
		text: 'createPacer(INITIAL_PACE * CAMPAIGN_SHARE)',
		replacement: 'createPacer(INITIAL_PACE)',
		tests: ['src/features/delivery/server/sending/send-message.test.ts'],
	},
	{
		name: 'campaigns use the pace reserved for chats',
		file: 'src/features/delivery/rules.ts',
		text: 'CAMPAIGN_SHARE = 0.95',
		replacement: 'CAMPAIGN_SHARE = 1.05',
		tests: ['src/features/delivery/rules.test.ts'],
	},
	{
		name: 'a refusal because of the pace does not slow the sender',
		file: pacer,
		text: 'setRate(rate / 2)',
		replacement: 'setRate(rate)',
		tests: [pacerTest],
	},
	{
		name: 'each refusal of a burst cuts the pace again',
		file: pacer,
		text: 'if (filledAt - cutAt < CUT_PAUSE_MS) return\n',
		replacement: '',
		tests: [pacerTest],
	},
	{
		name: 'the pace never recovers',
		file: pacer,
		text: 'RECOVERY_PER_SECOND = 0.05',
		replacement: 'RECOVERY_PER_SECOND = 0',
		tests: [pacerTest],
	},
	{
		name: 'the window does not learn the latency',
		file: inFlightWindow,
		text: 'mean += (taken - mean) * Math.max(1 / answers, WEIGHT)',
		replacement: 'mean += 0 * Math.max(1 / answers, WEIGHT)',
		tests: [inFlightWindowTest],
	},
]
