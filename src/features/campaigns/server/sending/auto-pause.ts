import { notices } from '#features/notifications/server/service.ts'
import { stopSender } from '#features/whatsapp/server/service.ts'
import { announceLive } from '#lib/server/channels.ts'
import { transaction, type Db, type OwnerId, type Sql } from '#lib/server/db.ts'
import type { Notify } from '#lib/server/notify.ts'
import { pauseAll } from '../lifecycle/transition-queries.ts'
import { autoPauseCampaign } from '../lifecycle/transitions.ts'
import type { ClaimedMessage } from './claim-queries.ts'
import type { Outcome } from './reply-classifier.ts'

/** The failures of one sender run that concern more than one message. */
export interface FailureState {
	/** Failures in a row with the same code, per campaign. */
	repeats: Map<number, { code: number; count: number }>
	/** When the sender, or a campaign of it, was last paused, by performance.now(). */
	pausedAtMs: Map<'sender' | number, number>
}

export function createFailureState(): FailureState {
	return { repeats: new Map(), pausedAtMs: new Map() }
}

/** After this many identical refusals in a row the campaign is at fault, not the recipients. */
const REPEATS_TO_PAUSE = 10

export interface Incident {
	message: ClaimedMessage
	/** When the message was sent, by performance.now(). */
	sentAtMs: number
	outcome: Outcome
	failures: FailureState
}

interface PauseDeps {
	db: Db
	notify: Notify
}

/** Applies the effects of an outcome beyond its message: pauses the campaign or the sender. */
export async function reactToOutcome(deps: PauseDeps, owner: OwnerId, incident: Incident): Promise<void> {
	const { message, outcome, failures } = incident
	const { campaignId } = message
	if (outcome.kind === 'accepted') failures.repeats.delete(campaignId)
	if (outcome.kind === 'sender' && isFirstSincePause(incident, 'sender'))
		await pauseSender(deps, owner, adviceFor(outcome))
	if (outcome.kind === 'campaign' && !message.isSingle && isFirstSincePause(incident, campaignId)) {
		await autoPauseCampaign(deps, owner, { campaignId, reason: adviceFor(outcome), isWithSender: false })
	}
	if (outcome.kind !== 'failed') return
	const last = failures.repeats.get(campaignId)
	const count = outcome.repeats && last?.code === outcome.code ? last.count + 1 : 1
	failures.repeats.set(campaignId, { code: outcome.code, count })
	if (outcome.repeats && count >= REPEATS_TO_PAUSE && isFirstSincePause(incident, campaignId)) {
		const reason = `${count} messages in a row were refused: ${outcome.error}. Check the template and its variables, then resume.`
		await autoPauseCampaign(deps, owner, { campaignId, reason, isWithSender: false })
	}
}

/** Many messages are in flight when the first is refused. Refusals of the others must not pause a campaign resumed meanwhile. */
function isFirstSincePause({ sentAtMs, failures }: Incident, what: 'sender' | number): boolean {
	if (sentAtMs <= (failures.pausedAtMs.get(what) ?? Number.NEGATIVE_INFINITY)) return false
	failures.pausedAtMs.set(what, performance.now())
	return true
}

/** Stops the sender, unless it is, pauses all its campaigns, and notifies the owner. */
export function pauseSender({ db, notify }: PauseDeps, owner: OwnerId, reason: string): Promise<void> {
	return transaction(db, (sql) => pauseSenderWithin(sql, owner, { reason, notify }))
}

/** The same in the caller's transaction, which must not have locked a campaign yet. */
export async function pauseSenderWithin(
	sql: Sql,
	owner: OwnerId,
	{ reason, notify }: { reason: string; notify: Notify },
): Promise<void> {
	if (!(await stopSender(sql, owner, reason))) return
	const paused = await pauseAll(sql, owner, { reason, isWithSender: true })
	await notify(sql, owner, notices.senderStopped({ reason }))
	announceLive(sql, owner, { kind: 'sender' })
	for (const id of paused) announceLive(sql, owner, { kind: 'campaign', id: String(id) })
}

const NO_PERMISSION = 'The access token lacks a permission. Ask your administrator to check it, then resume.'
const UNREADABLE_FILE =
	'WhatsApp could not read the file in the template’s header. Create the template again with another file, and make a new campaign.'
const MARKETING_OFF =
	'Marketing messages are switched off for this WhatsApp account. Ask your administrator to switch them on in WhatsApp Manager, then resume.'
const BLOCKED_FORM =
	'WhatsApp has blocked or slowed down the form that the template opens. Correct it in WhatsApp Manager, then resume.'

/** What to do, for the codes whose remedy is known. */
const ADVICE: Record<number, string> = {
	3: NO_PERMISSION,
	0: 'The access token is no longer valid. Ask your administrator to save a new one, then resume.',
	190: 'The access token is no longer valid. Ask your administrator to save a new one, then resume.',
	10: NO_PERMISSION,
	33: 'The phone number cannot be reached with these credentials. Ask your administrator to check them.',
	368: 'WhatsApp has blocked this account for a while because of its policy. See WhatsApp Manager.',
	131005: NO_PERMISSION,
	131031: 'WhatsApp has locked this account. See WhatsApp Manager, then resume.',
	131037: 'The display name is not approved yet. See WhatsApp Manager, then resume.',
	131042: 'There is a problem with the payment method in WhatsApp Manager. Solve it there, then resume.',
	131045:
		'The phone number is not set up completely. Ask your administrator to check it in WhatsApp Manager, then resume.',
	131048: 'Too many recipients have blocked or reported this number. Wait until its quality recovers, then resume.',
	131052: UNREADABLE_FILE,
	131053: UNREADABLE_FILE,
	131055: MARKETING_OFF,
	131063: MARKETING_OFF,
	131064:
		'WhatsApp limits this account because templates were filed in the wrong category. Correct the templates, then resume.',
	132001:
		'The template does not exist in this language or is not approved. Sync the templates and make a new campaign.',
	132007: 'WhatsApp found that the template breaks its policy. Cancel this campaign and use another template.',
	132015: 'WhatsApp has paused the template because of its quality. Resume when it is approved again.',
	132016: 'WhatsApp has disabled the template. Cancel this campaign and use another template.',
	132068: BLOCKED_FORM,
	132069: BLOCKED_FORM,
	133010: 'The phone number is not registered. Ask your administrator to check it, then resume.',
	134011: 'WhatsApp’s terms for payments are not accepted yet. Accept them in WhatsApp Manager, then resume.',
	134100: MARKETING_OFF,
	134101: MARKETING_OFF,
	134102: MARKETING_OFF,
}

/** Why nothing is sent, with what to do about it. */
export function adviceFor(outcome: { code: number; error: string }): string {
	const isPermission = outcome.code >= 200 && outcome.code <= 299
	return (isPermission ? NO_PERMISSION : ADVICE[outcome.code]) ?? `${outcome.error} (code ${outcome.code})`
}
