import { setTimeout as sleep } from 'node:timers/promises'
import { getSender, postMessage, type CloudApi, type Sender } from '#features/whatsapp/server/service.ts'
import { createBell, type Bell } from '#lib/server/bell.ts'
import type { Db, OwnerId } from '#lib/server/db.ts'
import type { Log } from '#lib/server/log.ts'
import type { Notify } from '#lib/server/notify.ts'
import type { Vault } from '#lib/server/secrets.ts'
import { noTroubles, reactToOutcome, type Troubles } from './auto-pause.ts'
import {
	claimFresh,
	claimRetries,
	getSendingPlan,
	listSendingCampaigns,
	type ClaimedMessage,
	type SendingCampaign,
} from './claim-queries.ts'
import { createPacer, type Pacer } from './pacer.ts'
import { createRecorder, type Recorder } from './recorder.ts'
import { adoptClaims } from './recovery.ts'
import { createRenderer, type RenderedMessage } from './render.ts'
import { judgeFailure, judgeReply, type Outcome } from './reply-classifier.ts'
import { openWireLog, type WireLog } from './send-log.ts'

export interface SenderDeps {
	db: Db
	vault: Vault
	cloudApi: CloudApi
	notify: Notify
	log: Log
	/** Names this worker process in its claims. */
	worker: string
}

/** The running driver of one account's sender. */
export interface SenderLoop {
	/** Something may have changed: a campaign opened, paused, resumed, credentials saved. */
	wake(): void
	/** Claims nothing more, lets what is on the wire come back, writes it down. */
	stop(): Promise<void>
	/** Resolves when the loop has ended, by itself after a while without work or by `stop`. */
	ended: Promise<void>
}

/** Milliseconds without work after which a sender is given up, so that its lock and memory are free. */
const IDLE_AFTER = 10_000
/** A claim is worth its transaction from this share of the free places on. */
const CLAIM_SHARE = 0.25
/** With a slow pace, messages are gathered this long into one claim, in milliseconds. */
const GATHER_MS = 50
const MAX_BACKLOG = 2000
/** What is there to send is looked up at least this often, in milliseconds; announcements come at once. */
const LOOK_EVERY = 1000
/** How long a stop waits for answers, in milliseconds. Messages without one stay claimed, and so of unknown outcome. */
const STOP_PATIENCE = 6000
/** Claims of other workers are looked for this often, in milliseconds: one that has lost its lock may claim a moment longer. */
const ADOPT_EVERY = 10_000

/** What one run of a sender works with. */
interface Run {
	deps: SenderDeps
	owner: OwnerId
	bell: Bell
	pacer: Pacer
	recorder: Recorder
	troubles: Troubles
	wireLog: WireLog
	rendererOf: (campaignId: number) => Promise<(message: RenderedMessage) => string>
	onWire: number
	isWoken: boolean
	isStopping: boolean
	/** What is still on the wire is left to whoever drives the sender next. */
	isAbandoned: boolean
}

/** Drives one sender: claims what it can put on the wire now, posts it, and hands every outcome to the recorder. */
export function runSender(deps: SenderDeps, owner: OwnerId): SenderLoop {
	const run: Run = {
		deps,
		owner,
		bell: createBell(),
		pacer: createPacer(80),
		recorder: createRecorder({ ...deps, owner }),
		troubles: noTroubles(),
		wireLog: openWireLog(deps.worker),
		rendererOf: createRendererCache(deps.db, owner),
		onWire: 0,
		isWoken: true,
		isStopping: false,
		isAbandoned: false,
	}
	const ended = drive(run)
	return {
		wake() {
			run.isWoken = true
			run.bell.ring()
		},
		async stop() {
			run.isStopping = true
			run.bell.ring()
			await ended
		},
		ended,
	}
}

/** The loop itself: ends when stopped, or after a while without work. */
async function drive(run: Run): Promise<void> {
	const { deps, owner, bell, pacer } = run
	let sender: Sender | null = null
	let campaigns: SendingCampaign[] = []
	let adoptedAt = 0
	let lookedAt = 0
	let workedAt = Date.now()
	while (!run.isStopping && Date.now() - workedAt < IDLE_AFTER) {
		if (Date.now() - adoptedAt > ADOPT_EVERY) {
			await adopt(run)
			adoptedAt = Date.now()
		}
		if (run.isWoken || Date.now() - lookedAt > LOOK_EVERY) {
			run.isWoken = false
			sender = await getSender(deps.db, deps.vault, owner)
			campaigns = sender && !sender.stoppedReason ? await listSendingCampaigns(deps.db, owner) : []
			if (sender) pacer.setLimit(sender.messagesPerSecond)
			lookedAt = Date.now()
		}
		let sent = 0
		for (const campaign of campaigns) {
			if (sender && !run.isStopping) sent += await sendBatch(run, sender, campaign)
		}
		if (campaigns.length > 0 || run.onWire > 0) workedAt = Date.now()
		const isPaced = campaigns.some((campaign) => campaign.hasFresh) && pacer.wait() > 0
		if (isPaced) await sleep(Math.max(pacer.wait(), GATHER_MS))
		else if (sent === 0) await bell.wait(LOOK_EVERY)
	}
	await awaitWire(run)
	await run.recorder.drain()
	if (!run.isAbandoned) run.wireLog.close()
}

async function adopt({ deps, owner }: Run): Promise<void> {
	const adopted = await adoptClaims(deps.db, owner, deps.worker)
	if (adopted.unknown + adopted.unsent > 0)
		deps.log.warn({ owner, ...adopted }, 'took over the messages of a dead worker')
}

/** Lets what is on the wire come back, but does not wait for a network that hangs. */
async function awaitWire(run: Run): Promise<void> {
	const deadline = Date.now() + STOP_PATIENCE
	while (run.onWire > 0 && Date.now() < deadline) await run.bell.wait(250)
	run.isAbandoned = run.onWire > 0
}

/** Claims and posts one batch of a campaign; returns how many. */
async function sendBatch(run: Run, sender: Sender, campaign: SendingCampaign): Promise<number> {
	const { deps, owner, pacer, recorder } = run
	const retriesDue = campaign.retryAt !== null && campaign.retryAt.getTime() <= Date.now()
	if (!campaign.hasFresh && !retriesDue) return 0
	const limit = wireLimit(sender)
	const room = Math.min(limit - run.onWire, MAX_BACKLOG - recorder.backlog())
	if (room < limit * CLAIM_SHARE) return 0
	const tokens = pacer.take(room)
	if (tokens === 0) return 0
	const render = await run.rendererOf(campaign.id)
	const request = { campaignId: campaign.id, limit: tokens, worker: deps.worker }
	const claimed = await (retriesDue ? claimRetries : claimFresh)(deps.db, owner, request)
	recorder.expect(claimed)
	run.onWire += claimed.length
	for (const message of claimed) void send(run, sender, { message, body: render(message) })
	pacer.giveBack(tokens - claimed.length)
	if (claimed.length < tokens && retriesDue) campaign.retryAt = null
	else if (claimed.length < tokens) campaign.hasFresh = false
	return claimed.length
}

/** Posts one message, hands its outcome on, and does what the outcome asks for. */
async function send(
	run: Run,
	sender: Sender,
	{ message, body }: { message: ClaimedMessage; body: string },
): Promise<void> {
	const { deps, owner, troubles } = run
	const tries = message.tries + 1
	const sentAt = Date.now()
	let outcome: Outcome
	let isHanded = false
	const onStart = () => {
		run.wireLog.note(message.claimId, message.seq)
		isHanded = true
	}
	try {
		const reply = await postMessage(deps.cloudApi, sender.phoneNumberId, { token: sender.accessToken, body, onStart })
		outcome = judgeReply(reply, tries)
	} catch (error) {
		outcome = judgeFailure(error, { tries, isHanded })
	}
	run.onWire--
	if (run.isAbandoned) return
	run.recorder.add(message, outcome)
	if (outcome.kind === 'retry' && outcome.slowDown) run.pacer.slowDown()
	run.bell.ring()
	await reactToOutcome(deps, owner, { message, sentAt, outcome, troubles }).catch((error: unknown) =>
		deps.log.error({ error, owner }, 'a stop could not be written down'),
	)
}

/** Each campaign's renderer is prepared once. */
function createRendererCache(db: Db, owner: OwnerId) {
	const renderers = new Map<number, (message: RenderedMessage) => string>()
	return async (campaignId: number) => {
		const known = renderers.get(campaignId)
		if (known) return known
		const plan = await getSendingPlan(db, owner, campaignId)
		const made = createRenderer({ ...plan, campaignId, headerFilename: plan.headerFile?.split('/').at(-1) ?? null })
		renderers.set(campaignId, made)
		return made
	}
}

/** How many messages may be on the wire at once: a second's worth, within bounds. */
function wireLimit(sender: Sender): number {
	return Math.min(256, Math.max(32, sender.messagesPerSecond))
}
