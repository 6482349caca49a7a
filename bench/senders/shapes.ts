import { parseArgs } from 'node:util'

/** Campaigns use 95 % of the pace that Meta grants. */
const CAMPAIGN_SHARE = 0.95
const STANDARD = 80
const HIGH = 1_000
const LATENCIES_MS = [5, 400, 900]
/** Maximum number of senders for which a shape must reach `MIN_RATIO`; larger shapes only report their stats. */
const MAX_SENDERS_OF_GOAL = 50
const MIN_RATIO = 0.95
const MAX_TRANSACTIONS_PER_MESSAGE = 0.1

export interface Shape {
	senders: number
	/** Messages a second that Meta grants each sender. */
	pace: number
	latencyMs: number
	statuses: boolean
}

export interface Options {
	shapes: Shape[]
	seconds: number
	/** `split`: a worker and a web server, as in production; `all`: one process for both. */
	role: 'split' | 'all'
	/** Milliseconds for which the simulator collects statuses before it posts them. */
	gatherMs: number
}

const ALL_SHAPES: Shape[] = [
	...[1, 10, 50, 100].map((senders) => ({ senders, pace: STANDARD })),
	{ senders: 1, pace: HIGH },
].flatMap((size) =>
	LATENCIES_MS.flatMap((latencyMs) => [false, true].map((statuses) => ({ ...size, latencyMs, statuses }))),
)

const USAGE = `npm run bench -- senders [--quick] [--senders 50] [--pace 80|1000] [--latency 400] [--statuses on|off]
                        [--seconds 15] [--role split|all] [--gather 25]`

/**
 * Returns the options and shapes that the arguments name. A missing option takes all its values, except that --senders
 * without --pace takes the pace STANDARD. Throws the usage when no shape fits, or for --help.
 */
export function readOptions(args: string[]): Options {
	const names = ['senders', 'pace', 'latency', 'statuses', 'seconds', 'role', 'gather'] as const
	const texts = Object.fromEntries(names.map((name) => [name, { type: 'string' } as const]))
	const { values } = parseArgs({ args, options: { ...texts, quick: { type: 'boolean' }, help: { type: 'boolean' } } })
	const given = values as Partial<Record<(typeof names)[number], string>> & { quick?: boolean; help?: boolean }
	const number = (name: (typeof names)[number]) => (given[name] === undefined ? null : Number(given[name]))
	const [senders, pace, latencyMs] = [number('senders'), number('pace'), number('latency')]
	const statuses = given.statuses === undefined ? null : given.statuses === 'on'
	const shapes =
		senders === null
			? ALL_SHAPES
			: [false, true].flatMap((each) =>
					(latencyMs === null ? LATENCIES_MS : [latencyMs]).map((ms) => ({
						senders,
						pace: pace ?? STANDARD,
						latencyMs: ms,
						statuses: each,
					})),
				)
	const chosen = shapes.filter(
		(shape) =>
			(!given.quick || isQuick(shape)) &&
			(pace === null || shape.pace === pace) &&
			(latencyMs === null || shape.latencyMs === latencyMs) &&
			(statuses === null || shape.statuses === statuses),
	)
	if (given.help || chosen.length === 0) throw new Error(USAGE)
	return {
		shapes: chosen,
		seconds: number('seconds') ?? 15,
		role: given.role === 'all' ? 'all' : 'split',
		gatherMs: number('gather') ?? 25,
	}
}

/**
 * Returns true for the shapes of a quick run: with statuses and a latency of 400 ms, at the pace HIGH or with 1 or 50
 * senders.
 */
function isQuick({ senders, pace, latencyMs, statuses }: Shape): boolean {
	return statuses && latencyMs === 400 && (pace === HIGH || senders === 1 || senders === 50)
}

export function idealOf({ senders, pace }: Shape): number {
	return CAMPAIGN_SHARE * pace * senders
}

export interface Reached {
	ratio: number
	/** Transactions per message, without the transactions of an idle product. */
	ownTransactions: number
}

/** Returns the missed targets of a shape, as text. */
export function unmetGoals({ senders, pace }: Shape, { ratio, ownTransactions }: Reached): string[] {
	const unmet: string[] = []
	if (senders <= MAX_SENDERS_OF_GOAL && ratio < MIN_RATIO) unmet.push(`ratio under ${MIN_RATIO}`)
	if (pace === STANDARD && ownTransactions > MAX_TRANSACTIONS_PER_MESSAGE) {
		unmet.push(`over ${MAX_TRANSACTIONS_PER_MESSAGE} transactions a message`)
	}
	return unmet
}
