import { setTimeout as sleep } from 'node:timers/promises'
import { CAMPAIGN_SHARE, OWN_ERRORS } from '#features/delivery/rules.ts'
import type { Lease } from '#features/whatsapp/server/sending-state-queries.ts'
import { getSender, TOKEN_UNREADABLE } from '#features/whatsapp/server/service.ts'
import type { AccountId } from '#lib/server/db.ts'
import { publish } from '#lib/server/db/channels/channels.ts'
import type { SenderMode } from '#lib/server/pace/sender-mode.ts'
import { recoverClaims } from '../claims/recovery.ts'
import { findSendingState, type SendingCampaign } from '../claims/sending-state-queries.ts'
import { reopenForNumber } from '../lifecycle/transition-queries.ts'
import { workChannel } from '../work-channel.ts'
import { pauseLateCampaigns, pauseSender } from './auto-pause.ts'
import { sendMessage } from './send-message.ts'
import {
	askForPoll,
	createSenderRun,
	giveBackReady,
	hasCurrentLease,
	room,
	type SenderDeps,
	type SenderRun,
} from './sender-run.ts'

/** The running driver of one account's sender. */
export interface SendLoop {
	/** Wakes the loop after a change: a campaign opened, paused or resumed, or credentials saved. */
	wake(): void
	/** Stops claiming, then waits until messages in flight are settled. */
	stop(): Promise<void>
	/** Resolves when the loop has ended: by `stop`, with the lease, or after a while without work. */
	ended: Promise<void>
	stats(): SendLoopStats
}

export interface SendLoopStats {
	mode: SenderMode['name']
	inFlight: number
	/** The current and the highest pace, in messages a second. */
	pace: number
	limit: number
	backlog: number
	/** Number of messages found in orphaned claims. */
	recovered: number
}

/** Milliseconds of sending that a claim covers. */
const CLAIM_MS = 1000
/** Milliseconds of claimed messages below which the next claim is made, so that the pace has no gap. */
const CLAIM_AHEAD_MS = 300
const MAX_CLAIM = 2000
const MAX_BACKLOG = 20_000
/** Milliseconds for which due messages are gathered and sent together. */
const TICK_MS = 20
/** Longest interval in milliseconds between two reads of the sender's work. Changes wake the loop at once. */
const POLL_INTERVAL_MS = 2000
/** Milliseconds that a stop waits for answers. Messages without an answer stay claimed, and their outcome is unknown. */
const STOP_TIMEOUT_MS = 6000
const RETRY_AFTER_ERROR_MS = 1000

const FAILED = { kind: 'failed', optOut: false, repeats: false } as const
/** The outcome of a test or a chat template for which WhatsApp's limit leaves no place. */
const OVER_LIMIT = { ...FAILED, code: OWN_ERRORS.overLimit.code, error: OWN_ERRORS.overLimit.text }
/** The outcome of a message to a person who gets another message of the campaign. */
const REPEATED = { ...FAILED, code: OWN_ERRORS.repeated.code, error: OWN_ERRORS.repeated.text }

/**
 * Sends for one sender under a lease: claims the messages that can be sent soon, sends them at the sender's pace, and
 * records every outcome.
 */
export function runSendLoop(deps: SenderDeps, accountId: AccountId, lease: Lease): SendLoop {
	const run = createSenderRun(deps, accountId, lease)
	const ended = drive(run)
	return {
		wake: () => askForPoll(run),
		async stop() {
			run.mode.drain()
			run.signal.wake()
			await ended
		},
		ended,
		stats: () => ({
			mode: run.mode.name,
			inFlight: run.inFlight,
			pace: run.pacer.rate(),
			limit: run.pacer.limit(),
			backlog: run.recorder.backlog(),
			recovered: run.recovered,
		}),
	}
}

/** Runs the loop until it is stopped, the lease is over, or there was no work for a while. */
async function drive(run: SenderRun): Promise<void> {
	await recover(run)
	while (hasCurrentLease(run)) {
		if (pollInMs(run) <= 0) await poll(run)
		dispatch(run)
		claimAhead(run)
		run.mode.turn({ hasWork: hasWork(run), isFull: room(run) <= 0 })
		await run.signal.wait(waitMs(run))
	}
	run.mode.drain()
	await run.claiming
	giveBackReady(run)
	const deadline = performance.now() + STOP_TIMEOUT_MS
	while (run.inFlight > 0 && performance.now() < deadline) await run.signal.wait(250)
	await run.recorder.drain()
}

function hasWork({ ready, inFlight, claiming, mode, campaigns }: SenderRun): boolean {
	if (ready.length > 0 || inFlight > 0 || claiming) return true
	// A sender between two probes is not idle. A new run has no record of the outage, and would send all its messages during
	// it.
	return mode.name === 'probing' && campaigns.some((one) => one.hasFresh || one.retryInMs !== null)
}

async function recover(run: SenderRun): Promise<void> {
	const { deps, accountId, lease } = run
	const logs = new Map<string, Set<number> | null>()
	while (hasCurrentLease(run)) {
		try {
			const { unknown, unsent } = await recoverClaims(deps.db, accountId, { lease, logs })
			run.recovered = unknown + unsent
			if (run.recovered > 0) deps.log.warn({ accountId, unknown, unsent }, 'recovered the claims of another worker')
			return
		} catch (error) {
			deps.log.error({ error, accountId }, 'orphaned claims could not be recovered, trying again')
			await sleep(RETRY_AFTER_ERROR_MS)
		}
	}
}

/** Reloads credentials and campaigns. Gives back old claims and those of campaigns that are no longer sent. */
async function poll(run: SenderRun): Promise<void> {
	const { deps, accountId } = run
	const polledAtMs = performance.now()
	// Set before reading: a notification that arrives meanwhile asks for another poll.
	run.polledAtMs = polledAtMs
	try {
		let state = await findSendingState(deps.db, accountId, run.renderers.templateNames())
		if (state && state.version.getTime() !== run.version) {
			run.sender = await getSender(deps.db, deps.vault, accountId)
			run.version = state.version.getTime()
			if (run.sender && (await reopenForNumber(deps.db, accountId, run.sender.phoneNumberId))) {
				publish(deps.db, workChannel, accountId)
				state = await findSendingState(deps.db, accountId, run.renderers.templateNames())
			}
		}
		const isUsable = run.sender?.accessToken !== ''
		if (!isUsable && state?.stoppedReason === null) await pauseSender(deps, accountId, TOKEN_UNREADABLE)
		if (state && state.stoppedReason !== null && state.campaigns.length > 0) await pauseLateCampaigns(deps, accountId)
		if (state) {
			// `messagesPerSecond` is the pace that Meta grants (`paceOf`). Replies in chats use the rest.
			run.pacer.setLimit(state.messagesPerSecond * CAMPAIGN_SHARE)
			run.routes.load(state.route)
		}
		const processing = isUsable && state?.stoppedReason === null ? state.campaigns : []
		run.campaigns = processing.filter(({ template }) => !run.routes.isWaiting(template))
		run.isLimited = state?.isLimited ?? false
	} catch (error) {
		deps.log.warn({ error, accountId }, 'what there is to send could not be read')
		return
	}
	const turnsInMs = run.campaigns.flatMap(({ retryInMs, waitInMs }) => [retryInMs ?? Infinity, waitInMs ?? Infinity])
	run.retryAtMs = polledAtMs + Math.min(...turnsInMs.filter((ms) => ms > 0))
	const sending = new Set(run.campaigns.map(({ id }) => id))
	if (run.ready.length === 0 && !run.claiming) run.renderers.keep(sending)
	giveBackReady(run, (message) => !sending.has(message.campaignId) || !run.claims.isRecent(message))
}

function pollInMs(run: SenderRun): number {
	return Math.min(run.polledAtMs + POLL_INTERVAL_MS, run.retryAtMs) - performance.now()
}

/**
 * Claims the next messages while the last ones are being sent, unless a failover of the database might lose the claim.
 * Campaigns take turns. Single messages are claimed first, however much is claimed already, since a person waits for
 * them.
 */
function claimAhead(run: SenderRun): void {
	if (!run.deps.watch.mayClaim()) return
	if (run.claiming || run.recorder.backlog() > MAX_BACKLOG || room(run) <= 0) return
	const isProbe = run.mode.name === 'probing'
	const perMs = run.pacer.rate() / 1000
	const due = run.campaigns.filter(isDue)
	// A probe may cost its message, so a message of a large campaign is taken.
	const campaign = due.find(({ isSingle }) => isSingle !== isProbe) ?? due[0]
	if (!campaign || waitingBefore(run, campaign) > perMs * CLAIM_AHEAD_MS) return
	run.campaigns = [...run.campaigns.filter((one) => one !== campaign), campaign]
	const limit = isProbe ? 1 : Math.min(MAX_CLAIM, Math.max(1, Math.ceil(perMs * CLAIM_MS)))
	run.claiming = claim(run, campaign, limit).finally(() => {
		run.claiming = null
		run.signal.wake()
	})
}

/** Returns true for a campaign with messages to claim now. */
function isDue({ hasFresh, retryInMs, waitInMs }: SendingCampaign): boolean {
	return hasFresh || (retryInMs !== null && retryInMs <= 0) || (waitInMs !== null && waitInMs <= 0)
}

/** Returns the number of claimed messages that will be sent before the messages of this campaign. */
function waitingBefore({ ready }: SenderRun, { isSingle }: SendingCampaign): number {
	if (!isSingle) return ready.length
	const firstOther = ready.findIndex((message) => !message.isSingle)
	return firstOther < 0 ? ready.length : firstOther
}

async function claim(run: SenderRun, campaign: SendingCampaign, limit: number): Promise<void> {
	try {
		await run.renderers.prepare(campaign)
	} catch (error) {
		run.deps.log.error({ error, accountId: run.accountId, campaign: campaign.id }, 'a campaign could not be prepared')
		campaign.hasFresh = false
		campaign.retryInMs = null
		campaign.waitInMs = null
		return
	}
	const claimed = await run.claims.claim(campaign, limit)
	if (campaign.waitInMs) run.retryAtMs = Math.min(run.retryAtMs, performance.now() + campaign.waitInMs)
	// During an outage, which may have begun meanwhile, one message is claimed for each probe.
	const isStillMeant = run.mode.name !== 'probing' || limit === 1
	const isSending = isStillMeant && run.campaigns.some(({ id }) => id === campaign.id)
	const sendable = claimed.filter((one) => isSending && !one.isOptedOut && !one.isRepeated && !one.isOverLimit)
	for (const message of claimed) {
		if (message.isOptedOut) run.recorder.add(message, { kind: 'opted-out' })
		else if (message.isRepeated) run.recorder.add(message, REPEATED)
		else if (message.isOverLimit) run.recorder.add(message, OVER_LIMIT)
		else if (!isSending) run.recorder.add(message, { kind: 'returned' })
	}
	run.ready.splice(waitingBefore(run, campaign), 0, ...sendable)
}

/** Sends what the pace, the messages in flight and the mode allow now. */
function dispatch(run: SenderRun): void {
	const { sender } = run
	if (!sender) return
	const sendable = Math.min(room(run), run.ready.length)
	for (const message of run.ready.splice(0, run.pacer.take(sendable))) void sendMessage(run, sender, message)
}

function waitMs(run: SenderRun): number {
	const pollMs = Math.max(TICK_MS, pollInMs(run))
	switch (run.mode.name) {
		case 'idle':
			return pollMs
		case 'sending':
			// When no message is ready, the next claim wakes the loop. When no connection is free, the next answer does.
			return run.ready.length === 0 || run.mode.awaitsAnswer() ? pollMs : Math.max(TICK_MS, run.pacer.waitMs(1))
		case 'probing':
			return Math.min(pollMs, Math.max(TICK_MS, run.mode.probeInMs()))
		case 'draining':
			return 0
	}
}
