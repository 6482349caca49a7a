import { upsertRules } from '#features/delivery/server/sending-rules-queries.ts'
import { reconcileCampaigns } from '#features/delivery/server/settlement/reconciliation.ts'
import { reconcileWallet } from '#features/wallet/server/reconciliation.ts'
import { AppError } from '#lib/app-error.ts'
import { readBooks } from '#test/money-histories/check.ts'
import { CHANGES } from './changes.ts'
import type { Operation, Order } from './operation.ts'
import { ORDERS } from './orders.ts'
import { Scene, sendAll, type Target } from './scene.ts'
import type { Stage } from './stage.ts'
import { Strand, tick } from './strand.ts'
import { WORK } from './work.ts'

export const OPERATIONS: readonly Operation[] = [...ORDERS, ...CHANGES, ...WORK]

/** Two operations. The second starts when the first is about to send its statement number `at`. */
interface Race {
	first: Operation
	second: Operation
	/** True for an account that sends a person at most one marketing message a week. */
	isCapped: boolean
	at: number
}

export interface Failure {
	pair: string
	/**
	 * The statement that the first operation was about to send, and the last statement of the second operation before the
	 * first continued.
	 */
	statements: [string, string]
	broken: string[]
}

export interface RaceOptions {
	/** Seed of the order of the pairs and of the choice of a sample. */
	seed: number
	/** Number of pairs to run; all by default. */
	sample?: number | undefined
	/** Number of pairs to skip first, so that a long run can continue where an earlier one ended. */
	skip?: number | undefined
	/** Names of two operations: runs only this pair, in both orders. */
	pair?: readonly [string, string] | undefined
	/** Operations to pair; the product's by default. */
	operations?: readonly Operation[]
	/** Continues after a pair has failed. */
	all?: boolean
	log?: (line: string) => void
}

/** Runs pairs of operations in every interleaving. Returns the first failure of each failing pair. */
export async function runRaces(stage: Stage, options: RaceOptions): Promise<{ races: number; failures: Failure[] }> {
	const { log = () => {} } = options
	const failures: Failure[] = []
	let races = 0
	for (const pair of pairsOf(options)) {
		const beganAt = performance.now()
		let failure: Failure | null = null
		let at = 0
		for (let isOver = false; !isOver && !failure;) {
			const ran = await runRace(stage, { ...pair, at: ++at })
			;({ isOver, failure } = ran)
			races++
		}
		if (failure) failures.push(failure)
		const said = failure ? `failed: ${failure.broken.join('; ')}` : `${at} interleavings`
		log(`${nameOf(pair)}: ${said}, ${Math.round(performance.now() - beganAt)} ms`)
		if (failure && !options.all) break
	}
	return { races, failures }
}

type Pair = Omit<Race, 'at'>

const nameOf = ({ first, second, isCapped }: Pair) => `${first.name},${second.name}${isCapped ? ' (capped)' : ''}`

/** Returns all ordered pairs, shuffled by the seed. Pairs of two orders also run in an account with a frequency limit. */
function pairsOf({ seed, sample, skip = 0, pair, operations = OPERATIONS }: RaceOptions): Pair[] {
	const all = operations.flatMap((first) =>
		operations.flatMap((second) => {
			const isBoth = first.orders === true && second.orders === true
			return (isBoth ? [false, true] : [false]).map((isCapped) => ({ first, second, isCapped }))
		}),
	)
	if (pair) return all.filter(({ first, second }) => isPair(pair, first.name, second.name))
	const random = randomOf(seed)
	const shuffled = all.map((each) => ({ each, at: random() })).toSorted((a, b) => a.at - b.at)
	return shuffled.slice(skip, skip + (sample ?? shuffled.length)).map(({ each }) => each)
}

function isPair([a, b]: readonly [string, string], first: string, second: string): boolean {
	return (first === a && second === b) || (first === b && second === a)
}

/** Returns a generator of numbers from 0 to 1, the same for the same seed (mulberry32). */
function randomOf(seed: number): () => number {
	let state = seed
	return () => {
		state = (state + 0x6d2b79f5) | 0
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
	}
}

/**
 * Returns the campaigns on which the two operations act: the same campaign if both can, otherwise the preferred campaign of
 * each.
 */
function targetsOf({ first, second }: Pair): [Target, Target] {
	const shared = first.targets?.find((target) => second.targets?.includes(target))
	const of = ({ targets }: Operation): Target => shared ?? targets?.[0] ?? 'sending'
	return [of(first), of(second)]
}

/** Result of one of the two operations. */
interface Ended {
	order: Order | undefined
	error: unknown
	endTick: number
}

/**
 * Runs one interleaving in a new scene. `isOver` is true when the first operation ended before its statement `at`;
 * `failure` is null when all promises hold.
 */
async function runRace(stage: Stage, race: Race): Promise<{ isOver: boolean; failure: Failure | null }> {
	const scene = await Scene.open(stage)
	stage.logged.length = 0
	if (race.isCapped)
		await upsertRules(stage.context.db, scene.accountId, { frequency: { messages: 1, days: 7 }, quiet: null })
	const [targetOfFirst, targetOfSecond] = targetsOf(race)
	const first = await race.first.begin(scene, targetOfFirst)
	const second = await race.second.begin(scene, targetOfSecond)

	const [leading, following] = [new Strand(race.at), new Strand(0)]
	const firstEnded = endOf(leading.run(first.run))
	const hasPaused = await Promise.race([leading.paused().then(() => true), firstEnded.then(() => false)])
	const secondEnded = endOf(following.run(second.run))
	const watching = new AbortController()
	await Promise.race([secondEnded, following.blocked(stage.context.db, { signal: watching.signal })])
	watching.abort()
	const statements: Failure['statements'] = [
		leading.statements[race.at - 1] ?? 'its end',
		following.statements.at(-1) ?? 'nothing',
	]
	leading.continue()
	const ended = [await firstEnded, await secondEnded] as const

	const broken = await brokenPromises(scene, { race, begun: [first, second], ended })
	await scene.close()
	const failure = broken.length > 0 ? { pair: nameOf(race), statements, broken } : null
	return { isOver: !hasPaused, failure }
}

function endOf(running: Promise<Order | undefined>): Promise<Ended> {
	return running.then(
		(order) => ({ order, error: null, endTick: tick() }),
		(error: unknown) => ({ order: undefined, error, endTick: tick() }),
	)
}

interface Finished {
	race: Race
	begun: readonly [Awaited<ReturnType<Operation['begin']>>, Awaited<ReturnType<Operation['begin']>>]
	ended: readonly [Ended, Ended]
}

/** Sends everything that is left. Returns the broken promises. */
async function brokenPromises(scene: Scene, { race, begun, ended }: Finished): Promise<string[]> {
	const operations = [race.first, race.second] as const
	const broken: string[] = []
	for (const [index, { error }] of ended.entries()) {
		const isRefused = error instanceof AppError && error.status < 500
		if (error !== null && !isRefused)
			broken.push(
				`"${operations[index]?.name}" failed: ${error instanceof Error ? error.message : 'not with an Error'}`,
			)
	}
	await sendAll(scene)
	for (const [index, { order, error, endTick }] of ended.entries()) {
		const beside = operations[1 - index] ?? race.first
		if (order && !beside.stops) broken.push(...lostOf(scene, { order, race, beside }))
		const ran = { order, isRefused: error !== null, endTick, beside }
		broken.push(...((await begun[index]?.check?.(ran)) ?? []))
	}
	if (race.isCapped) broken.push(...(await writtenTwice(scene)))
	broken.push(...scene.stage.logged.map((fields) => `a sweep failed: ${describe(fields)}`))
	return [...broken, ...(await brokenBooks(scene))]
}

function describe(fields: unknown): string {
	const { error } = fields as { error?: unknown }
	return error instanceof Error ? error.message : JSON.stringify(fields)
}

/** Returns the recipients of a confirmed order that got no message, unless the other operation may leave people out. */
function lostOf({ sent }: Scene, { order, race, beside }: { order: Order; race: Race; beside: Operation }): string[] {
	if (race.isCapped || beside.leavesOut) return []
	const lost = order.numbers.filter(
		(number) => !sent.some((one) => one.number === number && one.campaignId === order.campaignId),
	)
	return lost.map((number) => `${number} got nothing of the order ${order.campaignId}, which was confirmed`)
}

/** Returns the numbers that got several campaign messages. The frequency limit does not apply to a program's single messages. */
async function writtenTwice({ db, accountId, sent }: Scene): Promise<string[]> {
	const campaigns = await db<{ id: number }[]>`
		select id from campaigns where account_id = ${accountId} and kind = 'campaign'
	`
	const ids = new Set(campaigns.map(({ id }) => id))
	const counts = Map.groupBy(
		sent.filter(({ campaignId }) => ids.has(campaignId)),
		({ number }) => number,
	)
	return [...counts].filter(([, all]) => all.length > 1).map(([number, all]) => `${number} got ${all.length} messages`)
}

/** Returns the findings of the reconciliation for the account, and differences in the sums of its messages. */
async function brokenBooks({ db, accountId }: Scene): Promise<string[]> {
	const findings = [
		...(await reconcileWallet(db, accountId, { since: null })),
		...(await reconcileCampaigns(db, accountId, { since: null, turns: [] })),
	]
	const [books] = await readBooks(db, [accountId])
	return [...findings.map(({ rule, detail }) => `${rule}: ${detail}`), ...(books?.broken ?? [])]
}
