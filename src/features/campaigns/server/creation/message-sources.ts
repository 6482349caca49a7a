import type { Formats } from '#features/campaigns/form-fields.ts'
import type { OwnerId, Sql } from '#lib/server/db.ts'
import { listOwnColumns } from '../merge-column-queries.ts'
import type { AudienceFile } from './audience-file.ts'
import * as queries from './audience-queries.ts'
import { addCapped, type FrequencyCap } from './frequency-queries.ts'
import { findCapped } from './frequency.ts'

/** A campaign whose messages are to be written, numbered from 1. */
interface Target {
	campaignId: number
	/** Each message's merge values are in this order. */
	mergeTags: string[]
	/** Leaves out those who opted out of marketing. */
	isMarketing: boolean
	/** Leaves out those who have got enough of it. */
	cap: FrequencyCap | null
}

/** Writes the messages of a campaign in the caller's transaction; returns how many. */
export type MessageSource = (sql: Sql, owner: OwnerId, target: Target) => Promise<number>

interface Contacts extends Pick<queries.Audience, 'groupId' | 'segment'> {
	/** How their own fields are written. */
	formats: Formats | undefined
}

/** To the account's contacts, or those of a group or segment. */
export function toContacts({ formats, ...chosen }: Contacts): MessageSource {
	return async (sql, owner, { campaignId, mergeTags, isMarketing, cap }) => {
		const own = await listOwnColumns(sql, owner, formats)
		return queries.insertMessages(sql, owner, { campaignId, audience: { ...chosen, isMarketing, cap }, mergeTags, own })
	}
}

/** To the rows of a file, written while it is being read. */
export function toFile(file: AudienceFile): MessageSource {
	return async (sql, owner, { campaignId, mergeTags, isMarketing, cap }) => {
		let count = 0
		let leftOut = 0
		for await (const rows of file.rows(mergeTags)) {
			const read = rows.flatMap(({ recipient }) => recipient ?? [])
			const capped = await findCapped(sql, owner, { cap, numbers: read.map(({ number }) => number) })
			leftOut += capped.size
			const recipients = read.filter(({ number }) => !capped.has(number))
			if (recipients.length === 0) continue
			count += await queries.insertRecipients(sql, owner, { campaignId, after: count, recipients, isMarketing })
		}
		if (leftOut > 0) await addCapped(sql, owner, { campaignId, count: leftOut })
		return count
	}
}

/** To a short list of recipients. */
export function toRecipients(recipients: readonly queries.Recipient[]): MessageSource {
	return (sql, owner, { campaignId, isMarketing }) =>
		queries.insertRecipients(sql, owner, { campaignId, after: 0, recipients, isMarketing })
}
