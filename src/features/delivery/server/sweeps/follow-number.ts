import { OWN_ERRORS } from '#features/delivery/rules.ts'
import type { AccountId, Db, Sql } from '#lib/server/db.ts'
import type { Notify } from '#lib/server/db/channels/notify.ts'
import { retriedTransaction } from '#lib/server/db/deadlocks.ts'
import { getNow } from '#lib/server/db/now.ts'
import { addJobs, handlerOf, jobKind, Postponed, type JobHandler } from '#lib/server/jobs/jobs.ts'
import type { MessageId } from '../message/message-id.ts'
import { failure } from '../message/status-update.ts'
import { MessageMap } from '../settlement/message-map.ts'
import { settle } from '../settlement/settle.ts'
import * as queries from './follow-number-queries.ts'

/** Job that writes a person's present number to the pending messages to a former number. */
const followNumberJob = jobKind<{ accountId: AccountId; number: string }>('follow-number', { total: 2, each: 1 })
/** Second run of the job, for the messages of an order that was not committed during the first run. */
const followAgainJob = { ...followNumberJob, name: 'follow-number-again', afterSeconds: 180 }

/** Adds the jobs of these former numbers. They run once the caller's transaction has committed. */
export async function followNumbers(sql: Sql, accountId: AccountId, numbers: readonly string[]): Promise<void> {
	const jobs = [...new Set(numbers)].map((number) => ({ accountId, number }))
	for (const kind of [followNumberJob, followAgainJob]) await addJobs(sql, kind, jobs)
}

interface FollowDeps {
	db: Db
	notify: Notify
}

type Chunk = FollowDeps & { number: string; after: MessageId }

/** Messages moved per transaction. */
const CHUNK_SIZE = 1000
/** Seconds after which the job runs again for messages that were in flight, because a retry can make them pending again. */
const LOOK_AGAIN_SECONDS = 15

/** Returns the handlers of both jobs. */
export const followNumberHandlers = (deps: FollowDeps): JobHandler<object>[] =>
	[followNumberJob, followAgainJob].map((kind) =>
		handlerOf(kind, async ({ data: { accountId, number } }) => {
			let after: MessageId | null = { campaignId: 0, seq: 0 }
			let hasClaimed = false
			while (after) {
				const chunk: Chunk = { ...deps, number, after }
				const moved = await retriedTransaction(deps.db, (sql) => moveChunk(sql, accountId, chunk))
				after = moved.through
				hasClaimed ||= moved.hasClaimed
			}
			if (hasClaimed) throw new Postponed(LOOK_AGAIN_SECONDS)
		}),
	)

/**
 * Writes the present number to a chunk of pending messages to a former number. When a campaign has another message to the
 * person, fails the repeated message once the campaign has begun; before, the claim fails it, because a campaign is repriced
 * only while all its messages are pending. Leaves messages in flight or of unknown outcome. Locks the sender, so that no
 * message is claimed and no other chunk is moved meanwhile, then rows in the order of `settle`.
 */
async function moveChunk(
	sql: Sql,
	accountId: AccountId,
	{ notify, number, after }: Chunk,
): Promise<{ through: MessageId | null; hasClaimed: boolean }> {
	await queries.lockSender(sql, accountId)
	const found = await queries.lockMessagesToMove(sql, accountId, { number, after, limit: CHUNK_SIZE })
	if (found.length === 0) return { through: null, hasClaimed: false }
	const campaigns = [...new Set(found.map(({ campaignId }) => campaignId))]
	const inFlight = new MessageMap<{ isClaimed: boolean }>()
	for (const one of await queries.listInFlight(sql, accountId, campaigns)) inFlight.set(one.campaignId, one.seq, one)
	const stateOf = ({ campaignId, seq }: MessageId) => inFlight.get(campaignId, seq)
	const free = found.filter((message) => !stateOf(message))
	// Repeated messages get the present number too, because they stay this person's when the former number gets another owner.
	await queries.updateNumbers(sql, accountId, free)
	const repeated = free.filter(({ isRepeated }) => isRepeated)
	if (repeated.length > 0) {
		const failed = failure(OWN_ERRORS.repeated.code, OWN_ERRORS.repeated.text, await getNow(sql))
		const updates = repeated.map(({ campaignId, seq }) => ({ campaignId, seq, ...failed }))
		await settle(sql, accountId, { updates, notify })
	}
	return { through: found.at(-1) ?? null, hasClaimed: found.some((message) => stateOf(message)?.isClaimed) }
}
