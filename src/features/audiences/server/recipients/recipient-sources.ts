import type { Formats } from '#features/audiences/contract.ts'
import { problem } from '#features/audiences/problems.ts'
import type { SegmentRules } from '#features/audiences/segment-contract.ts'
import { contactTags } from '#features/audiences/values.ts'
import { listErased } from '#features/contacts/server/erasure/erased.ts'
import { insertReferencesByNumber } from '#features/delivery/server/message/reference-queries.ts'
import type { Component } from '#features/templates/contract.ts'
import type { Variables } from '#features/templates/values.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { planScans } from '#lib/server/db/scan-plans.ts'
import type { Statement } from '#lib/server/statement.ts'
import { listCustomColumns } from '../merge-column-queries.ts'
import { readRules } from '../segments/segments.ts'
import { contactRows, listedRows, type LeavingOut, type Recipient, type Reach } from './audience-queries.ts'
import { findCapped } from './frequency.ts'
import { measureAudience, measureList } from './merge-values.ts'
import { analyseFile, type FileAnalysis, type AudienceFile } from './recipient-file.ts'

/** A statement that selects recipients for `insertMessages`, and how many people it leaves out as capped. */
interface Selection {
	rows: Statement
	/** 0 for live recipients, whose reach has the number. */
	capped: number
	/** Writes the references of the messages once they are inserted. */
	writeReferences?: (campaignId: number) => Promise<void>
}

type Measured = LeavingOut & { components: readonly Component[]; variables: Variables }
type Selected = LeavingOut & { mergeTags: readonly string[] }

/** The recipients of an order. Counting and selecting apply the same conditions. */
export interface Recipients<R extends Reach = Reach> {
	/** Counts the recipients of a message and finds problems of their values. */
	measure(sql: Sql, accountId: AccountId, asked: Measured): Promise<R>
	/** Yields the recipients in batches, each with the values of `mergeTags` in this order. */
	select(sql: Sql, accountId: AccountId, asked: Selected): AsyncIterable<Selection>
}

/** The source of the recipients of an order. */
export interface RecipientSource<R extends Reach = Reach> {
	/** True for recipients from tables that may change. `writeOrder` measures them again in its transaction. */
	isLive: boolean
	/**
	 * Reads the fields and rules that the statements need. With `isLocked`, locks them until the transaction ends, and
	 * throws when one of them was deleted.
	 */
	open(
		sql: Sql,
		accountId: AccountId,
		given: { mergeTags: readonly string[]; isLocked: boolean },
	): Promise<Recipients<R>>
}

/** Returns the source of an order whose audience is not chosen yet. */
export function toNobody(): RecipientSource {
	return toRecipients([])
}

interface Contacts {
	groupId: string | null
	segment: SegmentRules | null
	/** The chosen formats of contact values, by tag. */
	formats?: Formats | undefined
}

/** Returns the account's contacts, or those of a group or segment, as a source. */
export function toContacts({ groupId, segment, formats }: Contacts): RecipientSource {
	return {
		isLive: true,
		async open(sql, accountId, { mergeTags, isLocked }) {
			if (isLocked) await planScans(sql)
			const customColumns = await listCustomColumns(sql, accountId, { formats, isLocked })
			if (isLocked) refuseUnknown(mergeTags, contactTags(customColumns))
			const chosen = { groupId, segment: segment && (await readRules(sql, accountId, { ...segment, isLocked })) }
			return {
				measure: (inner, account, { components, variables, ...rules }) =>
					measureAudience(inner, account, {
						components,
						variables,
						audience: { ...chosen, ...rules },
						customColumns,
					}),
				async *select(inner, account, { mergeTags: tags, ...rules }) {
					yield {
						rows: contactRows(inner, account, { audience: { ...chosen, ...rules }, mergeTags: tags, customColumns }),
						capped: 0,
					}
				},
			}
		},
	}
}

/** Throws a 409 for a field that was renamed or deleted after the order was read. */
function refuseUnknown(tags: readonly string[], known: readonly string[]): void {
	const unknown = tags.find((tag) => !known.includes(tag))
	if (unknown === undefined) return
	throw problem('tag_gone', { tag: unknown })
}

/** Returns the rows of a file as a source. Each measuring and each selection reads the file again. */
export function toFile(file: AudienceFile): RecipientSource<Reach & FileAnalysis> {
	return fixed({
		async measure(sql, accountId, asked) {
			const analysis = await analyseFile(sql, accountId, { ...asked, file })
			return { ...analysis, contacts: analysis.counts.valid }
		},
		async *select(sql, accountId, { mergeTags, ...rules }) {
			for await (const rows of file.rows(mergeTags)) {
				const recipients = rows.flatMap(({ recipient }) => recipient ?? [])
				yield* selectListed(sql, accountId, { ...rules, recipients })
			}
		},
	})
}

/** Returns a short list as a source; the values of its recipients are in the order of the order's merge tags. */
export function toRecipients(recipients: readonly Recipient[]): RecipientSource {
	return fixed(listed(recipients))
}

/** Returns a short list as the recipients of an order. */
export function listed(recipients: readonly Recipient[]): Recipients {
	return {
		measure: (sql, accountId, asked) => measureList(sql, accountId, { ...asked, recipients }),
		select: (sql, accountId, rules) => selectListed(sql, accountId, { ...rules, recipients }),
	}
}

function fixed<R extends Reach>(recipients: Recipients<R>): RecipientSource<R> {
	return { isLive: false, open: async () => recipients }
}

/** Yields listed recipients without people who are capped, erased or opted out. */
async function* selectListed(
	sql: Sql,
	accountId: AccountId,
	{ recipients, isMarketing, cap }: LeavingOut & { recipients: readonly Recipient[] },
): AsyncGenerator<Selection> {
	const numbers = recipients.map(({ number }) => number)
	const capped = await findCapped(sql, accountId, { cap, numbers })
	const erased = isMarketing ? await listErased(sql, accountId, numbers) : null
	const left = recipients.filter(({ number }) => !capped.has(number) && !erased?.has(number))
	yield {
		rows: listedRows(sql, accountId, { recipients: left, isMarketing }),
		capped: capped.size,
		writeReferences: (campaignId) => insertReferencesByNumber(sql, accountId, { campaignId, recipients: left }),
	}
}
