import { tagsWithoutFallback, type Variables } from '#features/campaigns/rules.ts'
import type { OwnerId, Sql } from '#lib/server/db.ts'
import { AppError } from '#lib/server/errors.ts'
import type { AudienceFile } from './audience-file.ts'
import * as queries from './audience-queries.ts'
import { missingValues } from './merge-values.ts'

/** A campaign whose messages are to be written, numbered from 1. */
export interface Target {
	campaignId: number
	/** Each message's merge values are in this order. */
	mergeTags: string[]
	/** Leaves out those who opted out of marketing. */
	isMarketing: boolean
}

/** Writes the messages of a campaign in the caller's transaction; returns how many. */
export type MessageSource = (sql: Sql, owner: OwnerId, target: Target) => Promise<number>

/** To the account's contacts, or those of a group. */
export function toContacts(groupId: string | null): MessageSource {
	return (sql, owner, { campaignId, mergeTags, isMarketing }) =>
		queries.insertMessages(sql, owner, { campaignId, audience: { groupId, isMarketing }, mergeTags })
}

/**
 * To the rows of a file, written while it is being read. Refuses it when recipients lack a value that the variables need:
 * then the caller's transaction has to roll back.
 */
export function toFile(file: AudienceFile, variables: Variables): MessageSource {
	return async (sql, owner, { campaignId, mergeTags, isMarketing }) => {
		const required = tagsWithoutFallback(variables)
		const missing = new Map<string, number>()
		let count = 0
		for await (const rows of file.rows(mergeTags)) {
			const recipients = rows.flatMap(({ recipient }) => recipient ?? [])
			countMissing(missing, { recipients, required, mergeTags })
			if (missing.size > 0 || recipients.length === 0) continue
			count += await queries.insertRecipients(sql, owner, { campaignId, after: count, recipients, isMarketing })
		}
		for (const [tag, recipients] of missing) throw new AppError(400, missingValues(tag, recipients))
		return count
	}
}

/** Adds to `missing`, by tag, how many recipients lack a required value. */
export function countMissing(
	missing: Map<string, number>,
	{
		recipients,
		required,
		mergeTags,
	}: { recipients: readonly queries.Recipient[]; required: readonly string[]; mergeTags: readonly string[] },
): void {
	for (const tag of required) {
		const at = mergeTags.indexOf(tag)
		const without = recipients.filter(({ values }) => (values[at] ?? null) === null).length
		if (without > 0) missing.set(tag, (missing.get(tag) ?? 0) + without)
	}
}

/** To a short list of recipients. */
export function toRecipients(recipients: readonly queries.Recipient[]): MessageSource {
	return (sql, owner, { campaignId, isMarketing }) =>
		queries.insertRecipients(sql, owner, { campaignId, after: 0, recipients, isMarketing })
}
