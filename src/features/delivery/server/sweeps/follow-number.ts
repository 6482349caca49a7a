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

/** Job that lets pending messages follow a person from a former number to the present one. */
const followNumberJob = jobKind<{ accountId: AccountId; number: string }>('follow-number', { total: 2, each: 1 })
/** Second run of the job, after the longest writing of a campaign, whose messages the first run does not see. */
const followAgainJob = { ...followNumberJob, name: 'follow-number-again', afterSeconds: 180 }

/** Lets the pending messages to former numbers follow, in jobs after the caller's transaction. */
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
/** Seconds after which messages that were in flight are looked at again: they may return to the queue. */
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
 * Writes the present number to pending messages of a former one, and fails those to a person whom the campaign reaches with
 * another message, if it has begun. Before it has begun it can be priced anew while all messages are pending, so their claim
 * fails them. Leaves messages in flight and those of unknown outcome as they are. Locks the sender, so that no message is claimed
 * and no other chunk is moved meanwhile, then in the order of `settle`.
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
	// Repeated ones too, since they are the person's, also when the former number has its next owner.
	await queries.updateNumbers(sql, accountId, free)
	const repeated = free.filter(({ isRepeated }) => isRepeated)
	if (repeated.length > 0) {
		const failed = failure(OWN_ERRORS.repeated.code, OWN_ERRORS.repeated.text, await getNow(sql))
		const updates = repeated.map(({ campaignId, seq }) => ({ campaignId, seq, ...failed }))
		await settle(sql, accountId, { updates, notify })
	}
	return { through: found.at(-1) ?? null, hasClaimed: found.some((message) => stateOf(message)?.isClaimed) }
}
