import type { Control } from '#simulator/control.ts'
import type { ConnectionFault, Fault } from '#simulator/network/faults.ts'
import type { SoakOptions } from './options.ts'

/**
 * Faults of the network. Answers take 50 to 300 ms. Few messages are lost before their acceptance, because each of them is
 * given up in the end.
 */
const FAULTS: Fault[] = [
	{ kind: 'delay', ms: 50 },
	{ kind: 'delay', ms: 100, probability: 0.5 },
	{ kind: 'delay', ms: 150, probability: 0.3 },
	{ kind: 'error', code: 130429, probability: 0.003 },
	{ kind: 'drop', accepted: true, probability: 0.01 },
	{ kind: 'drop', accepted: false, probability: 0.001 },
	{ kind: 'server-error', accepted: true, probability: 0.01 },
	{ kind: 'server-error', accepted: false, probability: 0.001 },
	{ kind: 'webhook-duplicate', probability: 0.05 },
	{ kind: 'webhook-late', ms: 4000, probability: 0.05 },
	{ kind: 'webhook-reorder', probability: 0.05 },
	{ kind: 'webhook-split', probability: 0.05 },
]
const CONNECTION_FAULTS: ConnectionFault[] = [
	...(['reset', 'half-close', 'silence'] as const).flatMap((by) =>
		(['headers', 'request', 'half the answer', 'answer'] as const).map(
			(after) => ({ kind: 'break', by, after }) as const,
		),
	),
	{ kind: 'interim', status: 100 },
	{ kind: 'interim', status: 103 },
	{ kind: 'retire' },
]

/** Applied connection faults and the numbers of affected messages. */
export interface NetworkFaults {
	/** Number of times that each connection fault happened. */
	counts: Record<string, number>
	/** Number of requests that faults may have kept from being processed, so that no status update ever follows. */
	mayBeLost: number
	/** Number of messages that were accepted without an answer; only status updates prove it. */
	unanswered: number
	http2Calls: number
}

export async function addNetworkFaults(simulator: Control, options: SoakOptions): Promise<void> {
	const { probability, times } = options.connectionFaults
	const ofConnections = CONNECTION_FAULTS.map((fault) => ({ ...fault, probability, ...(times ? { times } : {}) }))
	for (const fault of [...FAULTS, ...ofConnections]) await simulator.addFault(fault)
}

/** Ends the faults. Returns their effects. */
export async function endNetworkFaults(simulator: Control): Promise<NetworkFaults> {
	const applied = await simulator.appliedFaults()
	await simulator.clearFaults()
	const counts = Object.fromEntries(CONNECTION_FAULTS.map((fault) => [nameOf(fault), 0]))
	for (const { fault, times } of applied) {
		const name = nameOf(fault)
		if (name in counts) counts[name] = times
	}
	const sum = (holds: (fault: Fault) => boolean) =>
		applied.filter(({ fault }) => holds(fault)).reduce((total, { times }) => total + times, 0)
	const { http2_calls: http2Calls } = await simulator.loadStats()
	return { counts, mayBeLost: sum(mayLose), unanswered: sum(isUnanswered), http2Calls }
}

function nameOf(fault: ConnectionFault | Fault): string {
	if (fault.kind === 'break') return `${fault.by}, after ${fault.after}`
	if (fault.kind === 'interim') return `answer of ${fault.status} before the final one`
	return fault.kind === 'retire' ? 'connection retired' : fault.kind
}

function isUnanswered(fault: Fault): boolean {
	if (fault.kind === 'break') return fault.after === 'request' || fault.after === 'half the answer'
	return (fault.kind === 'drop' || fault.kind === 'server-error') && fault.accepted
}

/** Returns true if a fault may have lost a request. After a whole answer the next request may be in flight. */
function mayLose(fault: Fault): boolean {
	if (fault.kind === 'break') return fault.after === 'headers' || fault.after === 'answer'
	return (fault.kind === 'drop' || fault.kind === 'server-error') && !fault.accepted
}
