import { postMessage, type Sender } from '#features/whatsapp/server/service.ts'
import { announceLive } from '#lib/server/channels.ts'
import { reactToOutcome } from './auto-pause.ts'
import type { OutageKind } from './circuit-breaker.ts'
import type { ClaimedMessage } from './claim-queries.ts'
import { updateWaiting } from './lease-queries.ts'
import { classifyFailure, classifyReply, type Outcome } from './reply-classifier.ts'
import type { SenderRun } from './sender-run.ts'

/** Where the pace begins again after an outage. */
const RESTART_SHARE = 0.25
/** So many refusals of the pace without an accepted message in between mean a limit on more than this sender's pace. */
const MAX_PACE_REFUSALS = 30

const WAITING_REASONS = {
	silent: 'WhatsApp is not answering. Sending continues by itself.',
	limited: 'WhatsApp is limiting this account at present. Sending continues by itself.',
} as const

/** Sends one message, records its outcome, and does what the outcome asks for. */
export async function sendMessage(run: SenderRun, sender: Sender, message: ClaimedMessage): Promise<void> {
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
	run.inFlight--
	run.recorder.add(message, outcome)
	adaptToOutcome(run, outcome, sentAtMs)
	if (run.awaitsAnswer || run.isStopping) run.signal.notify()
	await reactToOutcome(deps, owner, { message, sentAtMs, outcome, failures }).catch((error: unknown) =>
		deps.log.error({ error, owner }, 'an automatic pause could not be written'),
	)
}

/** Lets the pace and the circuit breaker learn from an outcome. */
function adaptToOutcome(run: SenderRun, outcome: Outcome, sentAtMs: number): void {
	if (outcome.kind === 'returned') {
		run.breaker.abandoned()
		// The next probe follows now, not when this message has been settled.
		run.signal.notify()
	}
	// What comes after the end of a run is not its network's any more.
	if (run.hasEnded) return
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
function failureOf(run: SenderRun, outcome: Outcome): OutageKind | 'none' | null {
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
	return ++run.paceRefusals < MAX_PACE_REFUSALS && run.breaker.outage() === null ? 'none' : 'limited'
}

/** Shows on the account's campaigns why sending waits. */
function showWaiting({ deps, owner, lease, campaigns }: SenderRun, reason: string | null): void {
	updateWaiting(deps.db, owner, { lease, reason })
		.then(() => {
			for (const { id } of campaigns) announceLive(deps.db, owner, { kind: 'campaign', id: String(id) })
		})
		.catch((error: unknown) => deps.log.error({ error, owner }, 'an outage could not be shown'))
}
