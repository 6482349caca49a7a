import { randomUUID } from 'node:crypto'
import { reconcileMoney } from '#app/server/housekeeping/reconciliation.ts'
import { sweepEnded, sweepExpired, sweepUnconfirmed } from '#features/delivery/server/sweeps/sweeps.ts'
import { checkDuePayments } from '#features/payments/server/poll.ts'
import { collectOwed } from '#features/wallet/server/owed.ts'
import type { AccountId } from '#lib/server/db.ts'
import { account, contact, template, type TestAccount } from '#test/factories.ts'
import { startTestApp, type TestApp } from '#test/http-app.ts'
import { BrokenHistory, failureOfStep } from './broken-history.ts'
import { compare, emptyBooks, readBooks } from './check.ts'
import { HistoryProvider } from './history-provider.ts'
import { Lane } from './lane.ts'
import { FIRST_PRICES } from './model.ts'
import { sweepReplies } from './replies.ts'
import { CONTACTS, historyOf, isSweep, type Step, type Sweep } from './steps.ts'
import type { Place } from './worker.ts'

export interface HistoryOptions {
	/** First seed; the following histories have the following seeds. */
	seed: number
	histories: number
	/** Number of steps of each history. */
	steps: number
	/** Mixes online payments into the histories. */
	hasPayments?: boolean
	log?: (line: string) => void
}

/** The app and accounts in which histories run. */
export interface Stage {
	app: TestApp
	admin: TestAccount
	provider: HistoryProvider
	places: Place[]
}

const UNKNOWN_AFTER_SECONDS = 900
const MAX_SHRINK_MS = 15_000
/** Number of histories in a group. They have their sweeps at the same steps and run in parallel, each in its own account. */
export const GROUP_SIZE = 40

export async function openStage(places: number): Promise<Stage> {
	// GST, so that a refund of the total takes back a share of it.
	const app = await startTestApp({ env: { PAYMENT_MIN: '1', GST_PERCENT: '18', ISSUER_GSTIN: '27AAPFU0939F1ZV' } })
	const provider = new HistoryProvider()
	app.context.paymentProvider = provider
	const admin = await app.signIn('admin')
	const opened: Place[] = []
	for (let index = 0; index < places; index++) opened.push(await openPlace(app))
	return { app, admin, provider, places: opened }
}

async function openPlace({ context }: TestApp): Promise<Place> {
	const made = await account(context)
	const { accountId } = made
	const { templateId, name } = await template(context.db, accountId, { components: [{ type: 'BODY', text: 'Hello!' }] })
	const numbers: string[] = []
	for (let index = 0; index < CONTACTS; index++) {
		const abroad = { number: `97150${String(accountId).padStart(7, '0')}` }
		numbers.push((await contact(context.db, accountId, index === CONTACTS - 1 ? abroad : {})).number)
	}
	await context.db`
		insert into senders (account_id, phone_number_id, waba_id, access_token_sealed, webhook_key, verify_token)
		values (${accountId}, ${`phone ${accountId}`}, 'waba', '', ${randomUUID()}, 'token')
	`
	return { ...made, templateId, templateName: name, numbers }
}

/** Resets every account to the state in which a history begins. */
async function reset({ app, provider }: Stage, places: readonly Place[]): Promise<void> {
	const { db } = app.context
	const accountIds = places.map(({ accountId }) => accountId)
	await emptyBooks(db)
	provider.clear()
	await db`update users set is_active = true, deleted_at = null where account_id = any(${accountIds}::bigint[])`
	await db`update contacts set opted_out_at = null, opted_out_because = null where opted_out_at is not null`
	await db`update templates set category = 'MARKETING'`
	await db`
		update prices set marketing_paise = ${FIRST_PRICES.marketingPaise}, utility_paise = ${FIRST_PRICES.utilityPaise},
			service_paise = ${FIRST_PRICES.servicePaise},
			abroad_rule = 'same', abroad_percent = 0, passes_on_free = false
	`
	await db`update senders set lease_worker = null, lease_epoch = 0, reported_through = null`
}

/** Runs histories in parallel, step by step. Compares every account with its model after every step. */
async function runGroup(stage: Stage, histories: readonly Step[][]): Promise<void> {
	const { db } = stage.app.context
	const places = stage.places.slice(0, histories.length)
	await reset(stage, places)
	const lanes = places.map((place) => new Lane(stage.app.context, stage.admin, place))
	const accountIds = places.map(({ accountId }) => accountId)
	const steps = Math.max(...histories.map(({ length }) => length))
	for (let at = 0; at < steps; at++) {
		const shared = histories[0]?.[at]
		if (shared && isSweep(shared)) await sweep(stage, { accountIds, lanes, step: shared })
		else {
			// All steps finish, because the next group begins with empty tables.
			const done = await Promise.allSettled(
				lanes.map((lane, index) => runStep(lane, { index, at, step: histories[index]?.[at] })),
			)
			for (const one of done) if (one.status === 'rejected') throw one.reason
		}
		const books = new Map((await readBooks(db, accountIds)).map((each) => [each.accountId, each]))
		for (const [index, { model, place }] of lanes.entries()) {
			try {
				const own = books.get(place.accountId)
				if (!own) throw new Error('the account has no wallet')
				compare(own, model)
			} catch (error) {
				throw failureOfStep({ index, steps: at + 1 }, error)
			}
		}
	}
	for (const lane of lanes) await lane.worker.recover()
	const [finding] = await reconcileMoney(db)
	const index = accountIds.findIndex((accountId) => accountId === finding?.accountId)
	if (finding) throw new BrokenHistory({ index, steps }, Object.values(finding).join(': '))
}

async function runStep(
	lane: Lane,
	{ index, at, step }: { index: number; at: number; step: Step | undefined },
): Promise<void> {
	if (!step || isSweep(step)) return
	await lane.run(step).catch((error: unknown) => {
		throw failureOfStep({ index, steps: at + 1 }, error)
	})
}

/** Moves the time on which a sweep waits into the past, and runs the sweep until it finds nothing more. */
async function sweep(
	{ app }: Stage,
	{ accountIds, lanes, step }: { accountIds: readonly AccountId[]; lanes: readonly Lane[]; step: Sweep },
): Promise<void> {
	const { db, restoreGenerations, log, notify } = app.context
	const deps = { db, restoreGenerations, log, notify, unknownAfter: UNKNOWN_AFTER_SECONDS }
	if (step.kind === 'sweep unconfirmed') {
		await db`update unsettled_messages set unknown_since = (unknown_since at time zone 'UTC' - interval '1 hour') at time zone 'UTC'`
		while ((await sweepUnconfirmed(deps)) > 0);
	} else if (step.kind === 'sweep ended') {
		while ((await sweepEnded(deps)) > 0);
	} else if (step.kind === 'sweep payments') {
		await db`update payments set check_at = now() where check_at is not null`
		while (await checkDuePayments(app.context));
	} else if (step.kind === 'sweep owed') {
		await collectOwed(deps)
	} else {
		await db`update campaigns set started_at = (started_at at time zone 'UTC' - interval '31 days') at time zone 'UTC'`
		await db`update campaign_messages set sent_at = (sent_at at time zone 'UTC' - interval '31 days') at time zone 'UTC' where sent_at is not null`
		await db`update senders set reported_through = now() where account_id = any(${accountIds}::bigint[])`
		await sweepExpired(deps)
	}
	await sweepReplies(deps, step)
	for (const lane of lanes) lane.swept(step)
}

/**
 * Runs histories by their seeds. Throws for the first that breaks a rule, with its seed and the shortest form found, and throws
 * LostConnection if the database cannot be reached.
 */
export async function runHistories(
	stage: Stage,
	{ seed, histories, steps, hasPayments = false, log = () => {} }: HistoryOptions,
): Promise<void> {
	const end = seed + histories
	for (let first = seed; first < end;) {
		const group = Math.floor((first - 1) / GROUP_SIZE)
		const past = Math.min(end, first + stage.places.length, (group + 1) * GROUP_SIZE + 1)
		const seeds = Array.from({ length: past - first }, (_, index) => first + index)
		const together = seeds.map((each) => historyOf({ seed: each, group, steps, hasPayments }))
		const broken = await failureOf(stage, together)
		if (broken) throw new Error(await explain(stage, { broken, seed: first + broken.index, group: together }))
		log(`${past - seed} histories of ${steps} steps`)
		first = past
	}
}

async function failureOf(stage: Stage, group: readonly Step[][]): Promise<BrokenHistory | null> {
	try {
		await runGroup(stage, group)
		return null
	} catch (error) {
		if (error instanceof BrokenHistory) return error
		throw error
	}
}

async function explain(
	stage: Stage,
	{ broken, seed, group }: { broken: BrokenHistory; seed: number; group: readonly Step[][] },
): Promise<string> {
	const { steps, failure } = await shrink(stage, {
		steps: group[broken.index]?.slice(0, broken.steps) ?? [],
		failure: broken,
	})
	const lines = steps.map((step) => `  ${JSON.stringify(step)}`)
	const stack = failure.cause instanceof Error ? failure.cause.stack : ''
	return `the history of seed ${seed} breaks a rule; its shortest form:\n${lines.join('\n')}\n${failure.message}\n${stack}`
}

interface Failing {
	steps: Step[]
	failure: BrokenHistory
}

/** Shortens a history: leaves out ever smaller portions as long as it still breaks a rule when it runs alone. */
async function shrink(stage: Stage, found: Failing): Promise<Failing> {
	let known = found
	const deadline = performance.now() + MAX_SHRINK_MS
	for (let size = Math.ceil(known.steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
		for (let at = 0; at < known.steps.length && performance.now() < deadline;) {
			const steps = known.steps.toSpliced(at, size)
			const failure = steps.length > 0 ? await failureOf(stage, [steps]) : null
			if (failure) known = { steps, failure }
			else at += size
		}
	}
	return known
}
