import { setTimeout as sleep } from 'node:timers/promises'
import { accountMails } from '#features/auth/server/mails.ts'
import { joinChats } from '#features/chats/server/join-chats.ts'
import { chatHandlers } from '#features/chats/server/service.ts'
import { joinHandlers } from '#features/contacts/server/contacts/join-job.ts'
import { openingHandlers } from '#features/delivery/server/lifecycle/opener.ts'
import { Dispatcher } from '#features/delivery/server/sending/dispatcher.ts'
import { followNumberHandlers } from '#features/delivery/server/sweeps/follow-number.ts'
import type { RereadTemplate } from '#features/delivery/server/template-route/template-routes.ts'
import { webhookHandlers } from '#features/developer/server/webhooks/deliver.ts'
import { uploadHandlers } from '#features/header-files/server/upload/upload.ts'
import { notificationOf } from '#features/notifications/server/kinds.ts'
import { pushHandlers } from '#features/notifications/server/push.ts'
import { erasureHandlers } from '#features/privacy/server/service.ts'
import { rereadTemplate } from '#features/templates/server/sync/sync.ts'
import { balanceMails, startBalanceWarnings } from '#features/wallet/server/warnings.ts'
import { limitHandlers } from '#features/whatsapp/server/service.ts'
import { startIngest } from '#features/whatsapp/server/webhooks/ingest.ts'
import { connect, type Db } from '#lib/server/db.ts'
import { warnOfLossyCommits } from '#lib/server/db/hosts/replication.ts'
import { startHousekeeping } from '#lib/server/jobs/housekeeping.ts'
import { startJobs } from '#lib/server/jobs/jobs.ts'
import { startWorkerHeartbeat } from '#lib/server/jobs/workers.ts'
import type { AppContext } from './context.ts'
import { housekeepingTasks } from './housekeeping/housekeeping-tasks.ts'
import { composeHandlers } from './webhook-handlers.ts'

/** Pool for claims and outcomes, with a short timeout in milliseconds to detect a silent connection early. */
const SENDING_POOL = { max: 16, name: 'sending', timeoutMs: 6000 }

/** Pool for heartbeats, so that they never wait for a connection: a late one would stop all sending of this worker. */
const HEARTBEAT_POOL = { max: 2, name: 'heartbeat' }

/** Milliseconds for messages in flight, each of which is answered or given up within six seconds. */
const STOP_TIMEOUT_MS = 8000

export interface RunningWorker {
	/** Null when SENDING is off. */
	sending: Dispatcher | null
	/** The worker's own connection pools. */
	pools: Db[]
	/** Accepts no more work and settles messages in flight. Idempotent. */
	stop(): Promise<void>
}

/** Starts the background work: sending, webhooks, jobs and housekeeping. */
export async function startWorker(context: AppContext & { databaseUrl: string }): Promise<RunningWorker> {
	await warnOfLossyCommits(context.db, context.log)
	const shared = { slow: context.db.slow, refusal: context.watch.refusal, vault: context.vault }
	const heartbeatDb = connect(context.databaseUrl, { ...HEARTBEAT_POOL, ...shared })
	const worker = await startWorkerHeartbeat(heartbeatDb, context.log)
	const sendingDb = connect(context.databaseUrl, { ...SENDING_POOL, ...shared })
	const isSending = context.env.SENDING === 'on'
	const reread: RereadTemplate = (accountId, template) => rereadTemplate(context, accountId, template)
	const sending = isSending
		? await Dispatcher.start({ ...context, db: sendingDb, worker, rereadTemplate: reread })
		: null
	if (!sending) context.log.warn('SENDING is off: webhooks are processed, and nothing is sent or given back')
	const stopWarnings = await startBalanceWarnings(context)
	const handlers = [
		...accountMails(context),
		...balanceMails(context),
		...erasureHandlers(context),
		...joinHandlers({
			...context,
			wordsFor: (people) => notificationOf.contactsJoined({ people }),
			moveOthers: (accountId) => joinChats(context.db, accountId),
		}),
		...pushHandlers(context),
		...limitHandlers(context),
		...(isSending
			? [
					...chatHandlers(context),
					...webhookHandlers(context),
					...openingHandlers(context),
					...followNumberHandlers(context),
					...uploadHandlers(context),
				]
			: []),
	]
	const jobs = await startJobs({ ...context, worker }, handlers)
	const ingest = await startIngest({ ...context, handlers: composeHandlers(context) })
	const housekeeping = await startHousekeeping({ ...context, worker }, housekeepingTasks(context))
	let stopped: Promise<void> | null = null
	return { sending, pools: [sendingDb, heartbeatDb], stop: () => (stopped ??= stop()) }

	async function stop() {
		const ended = Promise.all([ingest.stop(), jobs.stop(), sending?.stop(), stopWarnings(), housekeeping.stop()])
		// Work that cannot settle any more ends with the heartbeat, and leaves its claims to other workers.
		await Promise.race([ended, sleep(STOP_TIMEOUT_MS, undefined, { ref: false })])
		await worker.stop()
		await ended
		await Promise.all([sendingDb.end(), heartbeatDb.end()])
	}
}
