import { presentFailure } from '#features/delivery/server/message/failure-words.ts'
import { publicId } from '#features/delivery/server/message/message-id.ts'
import { recordEvents, type OutgoingEvent } from '#features/events/server/service.ts'
import { transaction, type AccountId, type Sql } from '#lib/server/db.ts'
import { forEachAccount, scanAllAccounts, type SweepContext } from '#lib/server/db/all-accounts.ts'
import { takeCompleted, type StoredCampaign } from './test-campaign-queries.ts'
import { countAnnounced, listDueAllAccounts, lockDue, type DueMessage } from './test-message-queries.ts'
import { COMPLETED_MS, DUE_MS, stepsOf } from './test-steps.ts'

const MAX_PER_CALL = 500

/**
 * Records the events of test messages whose next step is due, and of test campaigns that are completed, for delivery to
 * webhooks.
 */
export async function recordTestSteps(context: SweepContext): Promise<void> {
	const { db } = context
	const wanted = { dueMs: DUE_MS, completedMs: COMPLETED_MS }
	const due = await scanAllAccounts(db, (only) => listDueAllAccounts(db, { ...wanted, only }))
	await forEachAccount(context, due, (accountId) => transaction(db, (sql) => recordDue(sql, accountId)))
}

async function recordDue(sql: Sql, accountId: AccountId): Promise<number> {
	const messages = await lockDue(sql, accountId, { dueMs: DUE_MS, limit: MAX_PER_CALL })
	const campaigns = await takeCompleted(sql, accountId, { completedMs: COMPLETED_MS, limit: MAX_PER_CALL })
	await recordEvents(sql, accountId, [...messages.map(eventOf), ...campaigns.map(completedOf)])
	if (messages.length > 0) await countAnnounced(sql, accountId, messages)
	return messages.length + campaigns.length
}

/** Returns the event of the next step of a message, with the names that events of real messages have. */
function eventOf({
	campaignId,
	seq,
	to,
	reference,
	metadata,
	errorCode,
	beginsAt,
	announced,
}: DueMessage): OutgoingEvent {
	const steps = stepsOf(errorCode)
	const [step, afterMs] = steps[Math.min(announced, steps.length - 1)] ?? ['sent', 0]
	const data = {
		id: publicId({ campaignId, seq }),
		to,
		campaignId: String(campaignId),
		...(reference !== null && { reference }),
		...(metadata !== null && { metadata }),
		...(errorCode !== null && { error: presentFailure(errorCode) }),
		test: true,
	}
	return { type: `message.${step}`, at: new Date(beginsAt.getTime() + afterMs), data }
}

function completedOf({ id, facts, beginsAt }: Pick<StoredCampaign, 'id' | 'facts' | 'beginsAt'>): OutgoingEvent {
	const at = new Date(beginsAt.getTime() + COMPLETED_MS)
	return { type: 'campaign.completed', at, data: { id: String(id), name: facts.name, test: true } }
}

/** Records the event of a campaign that the caller's transaction pauses. */
export function recordTestPaused(
	sql: Sql,
	accountId: AccountId,
	{ id, name, reason }: { id: number; name: string; reason: string },
): Promise<void> {
	const data = { id: String(id), name, reason, test: true }
	return recordEvents(sql, accountId, [{ type: 'campaign.paused', at: new Date(), data }])
}
