import type { MessageUpdate } from '#features/delivery/server/settlement/message-changes.ts'
import { FLOOR_MESSAGES } from '#features/wallet/rules.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { INDIAN_TODAY } from '#lib/server/db/indian-today.ts'

/** Limits the account's refunds to a share of its charges from now on, by recording 1,000 refunds today. */
export async function exhaustFloor(sql: Sql, accountId: AccountId): Promise<void> {
	await sql`
		insert into daily_totals (account_id, day, refunded_count) values (${accountId}, ${INDIAN_TODAY}, ${FLOOR_MESSAGES})
		on conflict (account_id, day) do update set refunded_count = excluded.refunded_count
	`
}

export function seqs(from: number, to: number): number[] {
	return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}

export function messageUpdate(
	{ campaignId }: { campaignId: number },
	seq: number,
	given: Partial<MessageUpdate> & Pick<MessageUpdate, 'status'>,
): MessageUpdate {
	const errorCode = given.status === 'failed' ? 131026 : null
	return {
		campaignId,
		seq,
		at: new Date(),
		wamid: `w${campaignId}-${seq}`,
		errorCode,
		error: errorCode && 'Undeliverable',
		isInQualityCheck: false,
		...given,
	}
}
