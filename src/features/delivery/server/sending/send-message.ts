import { OWN_ERRORS } from '#features/delivery/rules.ts'
import { OfferEnded } from '#features/templates/server/message/components.ts'
import type { SendEndpoint } from '#features/whatsapp/server/cloud-api.ts'
import { updateWaiting } from '#features/whatsapp/server/sending-state-queries.ts'
import type { Sender } from '#features/whatsapp/server/service.ts'
import { announceLive } from '#lib/server/db/channels/channels.ts'
import type { OutageKind } from '#lib/server/pace/sender-mode.ts'
import type { ClaimedMessage } from '../claims/claim-queries.ts'
import type { Outcome } from '../message/response-classifier.ts'
import { send } from '../message/send.ts'
import type { TemplateCategory } from '../template-route/template-route-queries.ts'
import type { Route } from '../template-route/template-routes.ts'
import { reactToOutcome } from './auto-pause.ts'
import { askForPoll, giveBackReady, type SenderRun } from './sender-run.ts'

/** Share of the pace at which sending restarts after an outage. */
const RESTART_SHARE = 0.25
/** Number of refusals of the pace in a row that mean a limit on more than this sender. */
const MAX_PACE_REFUSALS = 30

const WAITING_REASONS = {
	silent: 'WhatsApp is not answering. Sending continues by itself.',
	limited: 'WhatsApp is limiting this account at present. Sending continues by itself.',
} as const

/** Sends one message, records its outcome and applies its effects. */
export async function sendMessage(run: SenderRun, sender: Sender, message: ClaimedMessage): Promise<void> {
	const { deps, accountId, failures } = run
	const sentAtMs = performance.now()
	run.inFlight++
	run.mode.sent()
	const outcome = await attempt(run, sender, message)
	run.inFlight--
	run.recorder.add(message, outcome)
	deps.outcomes.set(outcome.kind, (deps.outcomes.get(outcome.kind) ?? 0) + 1)
	adaptToOutcome(run, outcome, sentAtMs)
	if (run.mode.awaitsAnswer()) run.signal.wake()
	await reactToOutcome(deps, accountId, { message, sentAtMs, outcome, failures }).catch((error: unknown) =>
		deps.log.error({ error, accountId }, 'an automatic pause could not be written'),
	)
}

async function attempt(run: SenderRun, sender: Sender, message: ClaimedMessage): Promise<Outcome> {
	const { deps, accountId } = run
	const startedAtMs = performance.now()
	let body: string
	let template: TemplateCategory
	let route: Route
	try {
		template = run.renderers.templateOf(message.campaignId)
		if (run.routes.isWaiting(template)) return { kind: 'returned' }
		route = run.routes.routeOf(template, message.refusedBy)
		// Sends the setting also when sharing is off, because the account's default at WhatsApp may be on.
		const isShared = route.endpoint === 'marketing_messages' && { message_activity_sharing: route.sharesActivity }
		body = run.renderers.render(message, isShared || undefined)
	} catch (error) {
		if (error instanceof OfferEnded) return failed(OWN_ERRORS.offerEnded)
		deps.log.error({ error, accountId, campaign: message.campaignId, seq: message.seq }, 'a message could not be made')
		return { ...failed(OWN_ERRORS.unrenderable), repeats: true }
	}
	const outcome = await send(deps.cloudApi, sender, {
		body,
		endpoint: route.endpoint,
		attempts: message.attempts + 1,
		onStart() {
			// Another worker may have recovered the messages of a worker that was frozen.
			if (!deps.worker.isAlive()) throw new Error('the lease is over')
			if (!run.claims.isRecent(message)) throw new Error('the claim is too old')
			run.claims.note(message)
		},
		onAnswer: () => run.window.measured(performance.now() - startedAtMs),
	})
	return routedOutcome(run, outcome, { template, route, refusedBy: message.refusedBy })
}

function failed({ code, text }: { code: number; text: string }): Outcome & { kind: 'failed' } {
	return { kind: 'failed', code, error: text, optOut: false, repeats: false }
}

/** Returns the outcome with its consequence for the route: the other endpoint once, a wait, or a pause of the campaign. */
function routedOutcome(
	run: SenderRun,
	outcome: Outcome,
	{ template, route, refusedBy }: { template: TemplateCategory; route: Route; refusedBy: SendEndpoint | null },
): Outcome {
	const { endpoint, isMarketing } = route
	if (outcome.kind === 'accepted') {
		if (refusedBy) run.routes.accepted(template, endpoint)
		return isMarketing || endpoint === 'marketing_messages' ? { ...outcome, endpoint } : outcome
	}
	if (outcome.kind !== 'campaign' && outcome.kind !== 'failed') return outcome
	const { code, error } = outcome
	const next = run.routes.refused(template, { code, endpoint, refusedBy })
	if (next === null) return outcome
	if (next.kind === 'pause') return { kind: 'campaign', code: next.code, error }
	if (next.kind === 'reroute') return { kind: 'rerouted', code, error, by: endpoint }
	askForPoll(run)
	return { kind: 'retry', code, error, delayMs: next.forSeconds * 1000, cause: 'preparing' }
}

/** Returns true for an outcome without a request: the message was not sent, or could not be rendered. */
function isOwn(outcome: Outcome): boolean {
	return outcome.kind === 'returned' || (outcome.kind === 'failed' && outcome.code < 0)
}

/** Adjusts the pace and the mode to an outcome. */
function adaptToOutcome(run: SenderRun, outcome: Outcome, sentAtMs: number): void {
	if (isOwn(outcome)) {
		run.mode.abandoned()
		// The next probe follows at once, without waiting for this message to be settled.
		run.signal.wake()
	}
	const sign = networkSignOf(run, outcome)
	if (sign === 'nothing') return
	if (sign === 'verdict') {
		if (!run.mode.succeeded(sentAtMs)) return
		run.pacer.restart(RESTART_SHARE)
		showWaiting(run, null)
	} else if (run.mode.failed(sign, sentAtMs)) {
		const cause = causeOf(outcome)
		run.deps.log.warn({ accountId: run.accountId, failure: sign, cause }, 'sending waits for the network')
		giveBackReady(run)
		showWaiting(run, WAITING_REASONS[sign], cause)
	}
}

/**
 * Returns the sign that an outcome gives of the network; `nothing` for a message without a request, and for a single
 * refusal of the pace. Each refusal of the pace lowers the pace.
 */
function networkSignOf(run: SenderRun, outcome: Outcome): OutageKind | 'verdict' | 'nothing' {
	if (isOwn(outcome) || outcome.kind === 'opted-out') return 'nothing'
	if (outcome.kind === 'unknown') return 'silent'
	const cause = outcome.kind === 'retry' ? outcome.cause : null
	if (cause === 'unreachable') return 'silent'
	if (cause === 'account-limit') return 'limited'
	if (cause !== 'pace') {
		run.paceRefusals = 0
		return 'verdict'
	}
	run.pacer.slowDown()
	return ++run.paceRefusals < MAX_PACE_REFUSALS && run.mode.name !== 'probing' ? 'nothing' : 'limited'
}

/** Returns Meta's or the connection's words about an outcome that begins an outage; null for any other outcome. */
function causeOf(outcome: Outcome): string | null {
	if (outcome.kind === 'unknown') return outcome.error
	return outcome.kind === 'retry' ? (outcome.detail ?? `${outcome.error} (code ${outcome.code})`) : null
}

/** Shows the reason why sending waits: on the account's campaigns in plain words, to admins with the cause. */
function showWaiting(
	{ deps, accountId, lease, campaigns }: SenderRun,
	reason: string | null,
	cause: string | null = null,
): void {
	updateWaiting(deps.db, accountId, { lease, reason, cause })
		.then(() => {
			announceLive(deps.db, accountId, { kind: 'sender' })
			for (const { id } of campaigns) announceLive(deps.db, accountId, { kind: 'campaign', id: String(id) })
		})
		.catch((error: unknown) => deps.log.error({ error, accountId }, 'an outage could not be shown'))
}
