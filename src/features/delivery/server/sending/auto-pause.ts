import { notificationOf } from '#features/notifications/server/kinds.ts'
import type { StopReason } from '#features/whatsapp/rules.ts'
import { stopAdvice, stopReason } from '#features/whatsapp/server/codes/codes.ts'
import { requestLimitReading, stopSender } from '#features/whatsapp/server/service.ts'
import { transaction, type Db, type AccountId, type Sql } from '#lib/server/db.ts'
import { announceLive } from '#lib/server/db/channels/channels.ts'
import type { Notify } from '#lib/server/db/channels/notify.ts'
import type { ClaimedMessage } from '../claims/claim-queries.ts'
import { recordPaused } from '../lifecycle/pause-events.ts'
import { stopCampaign } from '../lifecycle/stop.ts'
import { pauseAll } from '../lifecycle/transition-queries.ts'
import type { Outcome } from '../message/response-classifier.ts'
import { lockStopped } from './lease-queries.ts'

/** The failures of one sender run that concern more than one message. */
export interface FailureState {
	/** Failures in a row with the same code, per campaign. */
	repeats: Map<number, { code: number; count: number }>
	/** Times at which the sender, and each of its campaigns, was last paused, by performance.now(). */
	pausedAtMs: Map<'sender' | number, number>
}

export function createFailureState(): FailureState {
	return { repeats: new Map(), pausedAtMs: new Map() }
}

/** Meta's code for a number that sends too much or is reported too often: its limit and its health have changed. */
const SPAM_LIMIT_CODE = 131048

/** Number of identical refusals in a row at which the campaign is at fault, not the recipients. */
const REPEATS_TO_PAUSE = 10

export interface Incident {
	message: ClaimedMessage
	/** The time at which the message was sent, by performance.now(). */
	sentAtMs: number
	outcome: Outcome
	failures: FailureState
}

interface PauseDeps {
	db: Db
	notify: Notify
}

/** Applies the effects of an outcome beyond its message: pauses the campaign or the sender. */
export async function reactToOutcome(deps: PauseDeps, accountId: AccountId, incident: Incident): Promise<void> {
	const { message, outcome, failures } = incident
	const { campaignId } = message
	if (outcome.kind === 'accepted') failures.repeats.delete(campaignId)
	if (outcome.kind === 'sender' && isFirstSincePause(incident, 'sender')) {
		await pauseSender(deps, accountId, stopReason(outcome))
		if (outcome.code === SPAM_LIMIT_CODE) await transaction(deps.db, (sql) => requestLimitReading(sql, accountId))
	}
	if (outcome.kind === 'campaign' && !message.isSingle && isFirstSincePause(incident, campaignId)) {
		await stopCampaign(deps, accountId, {
			campaignId,
			action: 'pause',
			reason: stopAdvice(outcome),
			isWithSender: false,
		})
	}
	if (outcome.kind !== 'failed') return
	const last = failures.repeats.get(campaignId)
	const count = outcome.repeats && last?.code === outcome.code ? last.count + 1 : 1
	failures.repeats.set(campaignId, { code: outcome.code, count })
	if (outcome.repeats && count >= REPEATS_TO_PAUSE && isFirstSincePause(incident, campaignId)) {
		const reason = `${count} messages in a row were refused: ${outcome.error}. Check the template and its variables, then resume.`
		await stopCampaign(deps, accountId, { campaignId, action: 'pause', reason, isWithSender: false })
	}
}

/**
 * Returns false for a message sent before the last pause: refusals of messages in flight must not pause a campaign
 * resumed meanwhile. Otherwise returns true and records now as the time of the pause.
 */
function isFirstSincePause({ sentAtMs, failures }: Incident, what: 'sender' | number): boolean {
	if (sentAtMs <= (failures.pausedAtMs.get(what) ?? Number.NEGATIVE_INFINITY)) return false
	failures.pausedAtMs.set(what, performance.now())
	return true
}

/**
 * Stops the sender, pauses all its campaigns and notifies the account. Changes nothing for a sender that is stopped
 * already.
 */
export function pauseSender({ db, notify }: PauseDeps, accountId: AccountId, reason: StopReason): Promise<void> {
	return transaction(db, (sql) => pauseSenderWithin(sql, accountId, { reason, notify }))
}

/**
 * Pauses campaigns that were written while the sender was being stopped, and fails tests, chat templates and API
 * campaigns among them. Otherwise they would start when the sender resumes.
 */
export function pauseLateCampaigns({ db }: Pick<PauseDeps, 'db'>, accountId: AccountId): Promise<void> {
	return transaction(db, async (sql) => {
		const reason = await lockStopped(sql, accountId)
		if (reason !== null) await pauseWithSender(sql, accountId, reason)
	})
}

/** Runs `pauseSender` in the caller's transaction, which must not have locked a campaign yet. */
export async function pauseSenderWithin(
	sql: Sql,
	accountId: AccountId,
	{ reason, notify }: { reason: StopReason; notify: Notify },
): Promise<void> {
	if (!(await stopSender(sql, accountId, reason))) return
	await notify(sql, accountId, notificationOf.senderStopped({ reason: reason.user }))
	announceLive(sql, accountId, { kind: 'sender' })
	await pauseWithSender(sql, accountId, reason.user)
}

async function pauseWithSender(sql: Sql, accountId: AccountId, reason: string): Promise<void> {
	const paused = await pauseAll(sql, accountId, { reason, isWithSender: true })
	await recordPaused(sql, accountId, { campaigns: paused, reason })
	for (const { id } of paused) announceLive(sql, accountId, { kind: 'campaign', id: String(id) })
}
