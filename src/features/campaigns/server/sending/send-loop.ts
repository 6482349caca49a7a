import { setTimeout as sleep } from 'node:timers/promises'
import { getSender, postMessage, type CloudApi, type Sender } from '#features/whatsapp/server/service.ts'
import { announceLive } from '#lib/server/channels.ts'
import type { Db, OwnerId } from '#lib/server/db.ts'
import type { Log } from '#lib/server/log.ts'
import type { Notify } from '#lib/server/notify.ts'
import type { Vault } from '#lib/server/secrets.ts'
import { createSignal, type Signal } from '#lib/server/signal.ts'
import type { Worker } from '#lib/server/workers.ts'
import { createFailureState, reactToOutcome, type FailureState } from './auto-pause.ts'
import { createCircuitBreaker, type CircuitBreaker, type Origin, type OutageKind } from './circuit-breaker.ts'
import { findSendingState, type ClaimedMessage, type SendingCampaign } from './claim-queries.ts'
import { createClaims, type Claims } from './claims.ts'
import { createInFlightWindow, type InFlightWindow } from './in-flight-window.ts'
import { updateWaiting, type Lease } from './lease-queries.ts'
import { createPacer, type Pacer } from './pacer.ts'
import { createRecorder, type Recorder } from './recorder.ts'
import { recoverClaims } from './recovery.ts'
import { createRendererCache, type RendererCache } from './renderer-cache.ts'
import { classifyFailure, classifyReply, type Outcome } from './reply-classifier.ts'

export interface SendLoopDeps {
	db: Db
	vault: Vault
	cloudApi: CloudApi
	notify: Notify
	log: Log
	worker: Worker
	origin: Origin
}

/** The running driver of one account's sender. */
export interface SendLoop {
	/** Something may have changed: a campaign opened, paused, resumed, credentials saved. */
	wake(): void
	/** Claims nothing more, lets what is in flight come back, settles it. */
	stop(): Promise<void>
	/** Resolves when the loop has ended, by itself after a while without work or by `stop`. */
	ended: Promise<void>
	stats(): SendLoopStats
}

export interface SendLoopStats {
	inFlight: number
	/** Messages a second, now and at most. */
	pace: number
	limit: number
	isInOutage: boolean
	backlog: number
	/** Messages of orphaned claims: possibly sent, and certainly not. */
	recovered: { unknown: number; unsent: number }
}

/** Without work for so long, a sender is given up, so that its lease and memory are free. */
const IDLE_AFTER_MS = 10_000
/** A claim is for what can be sent in this time. */
const CLAIM_MS = 500
/** The next claim is made when less than so much is left of the last, so that the pace has no gap. */
const CLAIM_AHEAD_MS = 200
const MAX_CLAIM = 1000
const MAX_BACKLOG = 4000
/** With a pace of less than one message in this time, messages that are due are sent together. */
const TICK_MS = 20
/** What there is to send is read at least this often; changes are notified at once. */
const POLL_INTERVAL_MS = 2000
/** How long a stop waits for answers. Messages without one stay claimed, and so of unknown outcome. */
const STOP_TIMEOUT_MS = 6000
const RETRY_AFTER_ERROR_MS = 1000
/** Where the pace begins again after an outage. */
const RESTART_SHARE = 0.25
const MIN_PACE_REFUSALS = 30

const WAITING_REASONS = {
	silent: 'WhatsApp is not answering. Sending continues by itself.',
	limited: 'WhatsApp is limiting this account at present. Sending continues by itself.',
} as const

/** What one run of a sender works with. */
interface Run {
	deps: SendLoopDeps
	owner: OwnerId
	lease: Lease
	signal: Signal
	pacer: Pacer
	window: InFlightWindow
	breaker: CircuitBreaker
	claims: Claims
	recorder: Recorder
	failures: FailureState
	renderers: RendererCache
	sender: Sender | null
	/** Of the credentials that were read. */
	version: number
	campaigns: SendingCampaign[]
	/** Claimed, and waiting for the pace. */
	ready: ClaimedMessage[]
	isClaiming: boolean
	inFlight: number
	/** Refusals of the pace since the last accepted message. */
	paceRefusals: number
	polledAtMs: number
	/** When the next retry is due. */
	retryAtMs: number
	workedAtMs: number
	isStopping: boolean
	recovered: { unknown: number; unsent: number }
}

/** Drives one sender under a lease: claims what it can send soon, sends it at its pace, and records every outcome. */
export function runSendLoop(deps: SendLoopDeps, owner: OwnerId, lease: Lease): SendLoop {
	const signal = createSignal()
	const poll = () => {
		run.polledAtMs = Number.NEGATIVE_INFINITY
		signal.notify()
	}
	const claims = createClaims({ ...deps, owner, lease, mayGoOn: () => mayGoOn(run) })
	const run: Run = {
		deps,
		owner,
		lease,
		signal,
		pacer: createPacer(80),
		window: createInFlightWindow(),
		breaker: createCircuitBreaker(deps.origin),
		claims,
		recorder: createRecorder({ ...deps, owner, lease, onSettled: (message) => claims.settled(message), onRetry: poll }),
		failures: createFailureState(),
		renderers: createRendererCache(deps.db, owner),
		sender: null,
		version: 0,
		campaigns: [],
		ready: [],
		isClaiming: false,
		inFlight: 0,
		paceRefusals: 0,
		polledAtMs: Number.NEGATIVE_INFINITY,
		retryAtMs: Number.POSITIVE_INFINITY,
		workedAtMs: performance.now(),
		isStopping: false,
		recovered: { unknown: 0, unsent: 0 },
	}
	const ended = drive(run)
	return {
		wake: poll,
		async stop() {
			run.isStopping = true
			signal.notify()
			await ended
		},
		ended,
		stats: () => ({
			inFlight: run.inFlight,
			pace: run.pacer.rate(),
			limit: run.pacer.limit(),
			isInOutage: run.breaker.outage() !== null,
			backlog: run.recorder.backlog(),
			recovered: run.recovered,
		}),
	}
}

function mayGoOn(run: Run): boolean {
	return !run.isStopping && run.deps.worker.isAlive()
}

/** The loop itself: ends when stopped, when the lease is over, or after a while without work. */
async function drive(run: Run): Promise<void> {
	await recover(run)
	while (mayGoOn(run) && performance.now() - run.workedAtMs < IDLE_AFTER_MS) {
		if (pollInMs(run) <= 0) await poll(run)
		claimAhead(run)
		dispatch(run)
		if (run.ready.length > 0 || run.inFlight > 0 || run.isClaiming) run.workedAtMs = performance.now()
		await run.signal.wait(waitMs(run))
	}
	run.deps.origin.failing.delete(run.breaker)
	while (run.isClaiming) await run.signal.wait(RETRY_AFTER_ERROR_MS)
	for (const message of run.ready.splice(0)) run.recorder.add(message, { kind: 'returned' })
	const deadline = performance.now() + STOP_TIMEOUT_MS
	while (run.inFlight > 0 && performance.now() < deadline) await run.signal.wait(250)
	await run.recorder.drain()
}

async function recover(run: Run): Promise<void> {
	const { deps, owner, lease } = run
	const logs = new Map<string, Set<number> | null>()
	while (mayGoOn(run)) {
		try {
			run.recovered = await recoverClaims(deps.db, owner, { lease, logs })
			const { unknown, unsent } = run.recovered
			if (unknown + unsent > 0) deps.log.warn({ owner, unknown, unsent }, 'recovered the claims of another worker')
			return
		} catch (error) {
			deps.log.error({ error, owner }, 'orphaned claims could not be recovered, trying again')
			await sleep(RETRY_AFTER_ERROR_MS)
		}
	}
}

/** Reads credentials and campaigns anew. What was claimed of a campaign that is sent no longer returns to the queue. */
async function poll(run: Run): Promise<void> {
	const { deps, owner } = run
	const polledAtMs = performance.now()
	// Set first: a notification that comes meanwhile asks for another look.
	run.polledAtMs = polledAtMs
	try {
		const state = await findSendingState(deps.db, owner)
		if (state && state.version.getTime() !== run.version) {
			run.sender = await getSender(deps.db, deps.vault, owner)
			run.version = state.version.getTime()
		}
		run.campaigns = state && state.stoppedReason === null ? state.campaigns : []
		if (state) run.pacer.setLimit(state.messagesPerSecond)
	} catch (error) {
		deps.log.warn({ error, owner }, 'what there is to send could not be read')
		return
	}
	const retriesInMs = run.campaigns.map(({ retryInMs }) => retryInMs ?? Infinity).filter((ms) => ms > 0)
	run.retryAtMs = polledAtMs + Math.min(...retriesInMs)
	const sending = new Set(run.campaigns.map(({ id }) => id))
	const ready = run.ready.splice(0)
	run.ready = ready.filter((message) => sending.has(message.campaignId))
	for (const message of ready) if (!sending.has(message.campaignId)) run.recorder.add(message, { kind: 'returned' })
}

function pollInMs(run: Run): number {
	return Math.min(run.polledAtMs + POLL_INTERVAL_MS, run.retryAtMs) - performance.now()
}

/** Whether no more may be sent until an answer comes. A probe is sent all the same. */
function isFull(run: Run): boolean {
	return run.breaker.outage() === null && run.inFlight >= run.window.size(run.pacer.rate())
}

/** Claims the next messages while the last ones are being sent. Campaigns of one sender take turns. */
function claimAhead(run: Run): void {
	const perMs = run.pacer.rate() / 1000
	if (run.isClaiming || run.ready.length > perMs * CLAIM_AHEAD_MS || run.recorder.backlog() > MAX_BACKLOG) return
	const isProbe = run.breaker.outage() !== null
	if (run.breaker.allowance() === 0 || isFull(run)) return
	const campaign = run.campaigns.find((one) => one.hasFresh || (one.retryInMs !== null && one.retryInMs <= 0))
	if (!campaign) return
	run.campaigns = [...run.campaigns.filter((one) => one !== campaign), campaign]
	const limit = isProbe ? 1 : Math.min(MAX_CLAIM, Math.max(1, Math.ceil(perMs * CLAIM_MS)))
	run.isClaiming = true
	void claim(run, campaign, limit).finally(() => {
		run.isClaiming = false
		run.signal.notify()
	})
}

async function claim(run: Run, campaign: SendingCampaign, limit: number): Promise<void> {
	try {
		await run.renderers.prepare(campaign.id)
	} catch (error) {
		run.deps.log.error({ error, owner: run.owner }, 'a campaign could not be prepared')
		campaign.hasFresh = false
		campaign.retryInMs = null
		return
	}
	for (const message of await run.claims.claim(campaign, limit)) {
		if (message.isOptedOut) run.recorder.add(message, { kind: 'opted-out' })
		else run.ready.push(message)
	}
}

/** Sends what the pace, the messages in flight and the circuit breaker allow now. */
function dispatch(run: Run): void {
	const { sender } = run
	if (!sender || run.ready.length === 0 || isFull(run)) return
	const isOutage = run.breaker.outage() !== null
	const free = isOutage ? run.breaker.allowance() : run.window.size(run.pacer.rate()) - run.inFlight
	const room = Math.min(free, run.ready.length)
	for (const message of run.ready.splice(0, run.pacer.take(room))) void send(run, sender, message)
}

function waitMs(run: Run): number {
	const pollMs = Math.max(TICK_MS, pollInMs(run))
	if (run.breaker.outage() !== null) return Math.min(pollMs, Math.max(TICK_MS, run.breaker.waitMs()))
	// With nothing claimed a claim ends the wait, with no room an answer.
	if (run.ready.length === 0 || isFull(run)) return pollMs
	return Math.max(TICK_MS, run.pacer.waitMs(1))
}

/** Sends one message, records its outcome, and does what the outcome asks for. */
async function send(run: Run, sender: Sender, message: ClaimedMessage): Promise<void> {
	const { deps, owner, failures } = run
	const attempts = message.attempts + 1
	const sentAtMs = performance.now()
	let handing: 'not yet' | 'refused' | 'done' = 'not yet'
	const onStart = () => {
		handing = 'refused'
		// A worker that was frozen may find that its messages are somebody else's by now.
		if (!deps.worker.isAlive()) throw new Error('the lease is over')
		run.claims.note(message)
		handing = 'done'
	}
	run.inFlight++
	run.breaker.probing()
	let outcome: Outcome
	try {
		const body = run.renderers.render(message)
		const reply = await postMessage(deps.cloudApi, sender.phoneNumberId, { token: sender.accessToken, body, onStart })
		outcome = classifyReply(reply, attempts)
		run.window.measured(performance.now() - sentAtMs)
	} catch (error) {
		const isHanded = (handing as string) === 'done'
		outcome = (handing as string) === 'refused' ? { kind: 'returned' } : classifyFailure(error, { attempts, isHanded })
	}
	const wasFull = isFull(run)
	run.inFlight--
	run.recorder.add(message, outcome)
	adaptToOutcome(run, outcome, sentAtMs)
	if (wasFull || run.isStopping) run.signal.notify()
	await reactToOutcome(deps, owner, { message, sentAtMs, outcome, failures }).catch((error: unknown) =>
		deps.log.error({ error, owner }, 'an automatic pause could not be written'),
	)
}

/** Lets the pace and the circuit breaker learn from an outcome. */
function adaptToOutcome(run: Run, outcome: Outcome, sentAtMs: number): void {
	const failure = failureOf(run, outcome)
	if (failure === 'none') return
	if (failure !== null) {
		if (!run.breaker.failed(failure, sentAtMs)) return
		run.deps.log.warn({ owner: run.owner, failure }, 'sending waits for the network')
		showWaiting(run, WAITING_REASONS[failure])
	} else if (run.breaker.succeeded(sentAtMs)) {
		run.pacer.restart(RESTART_SHARE)
		showWaiting(run, null)
	}
}

/** What an outcome says about the network: null is a verdict, 'none' says nothing. */
function failureOf(run: Run, outcome: Outcome): OutageKind | 'none' | null {
	if (outcome.kind === 'returned' || outcome.kind === 'opted-out') return 'none'
	if (outcome.kind === 'unknown') return 'silent'
	const cause = outcome.kind === 'retry' ? outcome.cause : null
	if (cause === 'unreachable') return 'silent'
	if (cause === 'account-limit') return 'limited'
	if (cause !== 'pace') {
		run.paceRefusals = 0
		return null
	}
	run.pacer.slowDown()
	// So many without an accepted message in between: the limit is on more than the pace of this sender.
	return ++run.paceRefusals < MIN_PACE_REFUSALS && run.breaker.outage() === null ? 'none' : 'limited'
}

/** Shows on the account's campaigns why sending waits. */
function showWaiting({ deps, owner, lease, campaigns }: Run, reason: string | null): void {
	updateWaiting(deps.db, owner, { lease, reason })
		.then(() => {
			for (const { id } of campaigns) announceLive(deps.db, owner, { kind: 'campaign', id: String(id) })
		})
		.catch((error: unknown) => deps.log.error({ error, owner }, 'an outage could not be shown'))
}
