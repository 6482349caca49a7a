import { insertReferencesByNumber } from '#features/delivery/server/message/reference-queries.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import type { OwnColumns } from '../merge-column-queries.ts'
import * as queries from './audience-queries.ts'
import { addCapped, type FrequencyCap } from './frequency-queries.ts'
import { findCapped } from './frequency.ts'
import type { AudienceFile } from './recipient-file.ts'

/** Campaign for which messages are written, numbered from 1. */
interface Target {
	campaignId: number
	/** Order of the merge values in each message. */
	mergeTags: string[]
	/** Excludes recipients who opted out of marketing. */
	isMarketing: boolean
	/** Excludes recipients who have reached the cap. */
	cap: FrequencyCap | null
}

/** Writes the messages of a campaign in the caller's transaction. Returns the number of messages. */
export type MessageSource = (sql: Sql, accountId: AccountId, target: Target) => Promise<number>

type Contacts = Pick<queries.Audience, 'groupId' | 'segment'> & { own: OwnColumns }

/** Returns a source of messages to the account's contacts, or to those of a group or segment. */
export function toContacts({ own, ...chosen }: Contacts): MessageSource {
	return (sql, accountId, { campaignId, mergeTags, isMarketing, cap }) =>
		queries.insertMessages(sql, accountId, { campaignId, audience: { ...chosen, isMarketing, cap }, mergeTags, own })
}

/** Returns a source of messages to the rows of a file. The messages are written while the file is read. */
export function toFile(file: AudienceFile): MessageSource {
	return async (sql, accountId, { campaignId, mergeTags, isMarketing, cap }) => {
		let count = 0
		for await (const rows of file.rows(mergeTags)) {
			const recipients = rows.flatMap(({ recipient }) => recipient ?? [])
			const written = await insertUncapped(sql, accountId, { campaignId, after: count, recipients, isMarketing, cap })
			count += written.count
		}
		return count
	}
}

/** Returns a source of messages to a short list of recipients. */
export function toRecipients(recipients: readonly queries.Recipient[]): MessageSource {
	return async (sql, accountId, { campaignId, isMarketing, cap }) => {
		const { count } = await insertUncapped(sql, accountId, { campaignId, after: 0, recipients, isMarketing, cap })
		return count
	}
}

/**
 * Inserts messages with their references, numbered from `after` + 1, to recipients below the cap, and counts the others as left
 * out.
 */
export async function insertUncapped(
	sql: Sql,
	accountId: AccountId,
	given: Parameters<typeof queries.insertRecipients>[2] & { cap: FrequencyCap | null },
): Promise<{ count: number; capped: number }> {
	const numbers = given.recipients.map(({ number }) => number)
	const capped = await findCapped(sql, accountId, { cap: given.cap, numbers })
	if (capped.size > 0) await addCapped(sql, accountId, { campaignId: given.campaignId, count: capped.size })
	const recipients = given.recipients.filter(({ number }) => !capped.has(number))
	const count = recipients.length === 0 ? 0 : await queries.insertRecipients(sql, accountId, { ...given, recipients })
	if (count > 0) await insertReferencesByNumber(sql, accountId, { campaignId: given.campaignId, recipients })
	return { count, capped: capped.size }
}
