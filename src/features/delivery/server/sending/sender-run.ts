import { CAMPAIGN_SHARE } from '#features/delivery/rules.ts'
import type { Links } from '#features/templates/server/links.ts'
import type { CloudApi } from '#features/whatsapp/server/graph-client.ts'
import type { Lease } from '#features/whatsapp/server/sending-state-queries.ts'
import type { Sender } from '#features/whatsapp/server/service.ts'
import type { Db, AccountId } from '#lib/server/db.ts'
import type { Notify } from '#lib/server/db/channels/notify.ts'
import type { DatabaseWatch } from '#lib/server/db/hosts/database-watch.ts'
import type { Worker } from '#lib/server/jobs/workers.ts'
import type { Log } from '#lib/server/log.ts'
import { createInFlightWindow, type InFlightWindow } from '#lib/server/pace/in-flight-window.ts'
import { createPacer, type Pacer } from '#lib/server/pace/pacer.ts'
import { SenderMode, type NetworkState } from '#lib/server/pace/sender-mode.ts'
import type { Vault } from '#lib/server/secrets.ts'
import { createSignal, type Signal } from '#lib/server/signal.ts'
import type { ClaimedMessage } from '../claims/claim-queries.ts'
import { createClaims, type Claims } from '../claims/claims.ts'
import type { Conversations } from '../claims/limited-claims.ts'
import type { SendingCampaign } from '../claims/sending-state-queries.ts'
import type { RestoreGenerations } from '../message/message-id.ts'
import type { Outcome } from '../message/response-classifier.ts'
import { createTemplateRoutes, type RereadTemplate, type TemplateRoutes } from '../template-route/template-routes.ts'
import { createFailureState, type FailureState } from './auto-pause.ts'
import { createRecorder, type Recorder } from './recorder.ts'
import { createRendererCache, type RendererCache } from './renderer-cache.ts'

export interface SenderDeps {
	db: Db
	restoreGenerations: RestoreGenerations
	links: Links
	vault: Vault
	cloudApi: CloudApi
	notify: Notify
	log: Log
	worker: Worker
	watch: Pick<DatabaseWatch, 'mayClaim' | 'now'>
	network: NetworkState
	rereadTemplate: RereadTemplate
	conversations: Conversations
	/** Number of messages that this process has sent, by outcome. */
	outcomes: Map<Outcome['kind'], number>
}

/** The state of one run of a sender under one lease. */
export interface SenderRun {
	deps: SenderDeps
	accountId: AccountId
	lease: Lease
	signal: Signal
	pacer: Pacer
	window: InFlightWindow
	mode: SenderMode
	claims: Claims
	recorder: Recorder
	failures: FailureState
	renderers: RendererCache
	routes: TemplateRoutes
	sender: Sender | null
	/** True while WhatsApp limits the people whom the sender may reach. */
	isLimited: boolean
	/** The version of the credentials that the run uses. */
	version: number
	campaigns: SendingCampaign[]
	/** Claimed messages that wait for the pace. */
	ready: ClaimedMessage[]
	claiming: Promise<void> | null
	inFlight: number
	/** Number of refusals of the pace since the last verdict. */
	paceRefusals: number
	polledAtMs: number
	/** Time of the next retry, by performance.now(). */
	retryAtMs: number
	/** Number of messages found in orphaned claims. */
	recovered: number
}

/** Pace in messages a second before Meta's limit is known. */
const INITIAL_PACE = 80

export function createSenderRun(deps: SenderDeps, accountId: AccountId, lease: Lease): SenderRun {
	const claims = createClaims({
		...deps,
		accountId,
		lease,
		hasCurrentLease: () => hasCurrentLease(run),
		isLimited: () => run.isLimited,
	})
	const recorder = createRecorder({
		...deps,
		accountId,
		lease,
		onSettled: (message) => claims.settled(message),
		onRetry: () => askForPoll(run),
	})
	const run: SenderRun = {
		deps,
		accountId,
		lease,
		claims,
		recorder,
		signal: createSignal(),
		pacer: createPacer(INITIAL_PACE * CAMPAIGN_SHARE),
		window: createInFlightWindow(),
		mode: new SenderMode(deps.network),
		failures: createFailureState(),
		renderers: createRendererCache(deps, accountId),
		routes: createTemplateRoutes({ ...deps, accountId, now: () => deps.watch.now() }),
		sender: null,
		isLimited: false,
		version: 0,
		campaigns: [],
		ready: [],
		claiming: null,
		inFlight: 0,
		paceRefusals: 0,
		polledAtMs: Number.NEGATIVE_INFINITY,
		retryAtMs: Number.POSITIVE_INFINITY,
		recovered: 0,
	}
	return run
}

/** Returns true while this run drives its sender: its worker is alive by its own clock, and it is not draining. */
export function hasCurrentLease(run: SenderRun): boolean {
	return run.mode.name !== 'draining' && run.deps.worker.isAlive()
}

/** Asks for a poll, since the work of the sender may have changed. */
export function askForPoll(run: SenderRun): void {
	run.polledAtMs = Number.NEGATIVE_INFINITY
	run.signal.wake()
}

/** Returns the number of messages that may be sent now, besides those in flight and as far as the pace allows. */
export function room(run: SenderRun): number {
	return run.mode.room(run.window.size(run.pacer.rate()) - run.inFlight)
}

/**
 * Gives claimed and unsent messages that `isMeant` accepts back to the queue, so that the next claim reads opt-outs,
 * erasures and pauses again.
 */
export function giveBackReady(run: SenderRun, isMeant: (message: ClaimedMessage) => boolean = () => true): void {
	if (!run.ready.some(isMeant)) return
	const kept: ClaimedMessage[] = []
	for (const message of run.ready) {
		if (isMeant(message)) run.recorder.add(message, { kind: 'returned' })
		else kept.push(message)
	}
	run.ready = kept
}
