import type { Formats } from '#features/audiences/audience-fields.ts'
import { heldOutOf } from '#features/audiences/control-group.ts'
import type { SegmentRules } from '#features/audiences/segment-rules.ts'
import { holdOut } from '#features/audiences/server/control-group-queries.ts'
import { listOwnColumns, type OwnColumns } from '#features/audiences/server/merge-column-queries.ts'
import * as queries from '#features/audiences/server/recipients/audience-queries.ts'
import { addCapped } from '#features/audiences/server/recipients/frequency-queries.ts'
import { readCap } from '#features/audiences/server/recipients/frequency.ts'
import { contactTags, measureAudience } from '#features/audiences/server/recipients/merge-values.ts'
import { toContacts, type MessageSource } from '#features/audiences/server/recipients/recipient-sources.ts'
import { readRules } from '#features/audiences/server/segments/segments.ts'
import { isMarketing } from '#features/delivery/server/message/price.ts'
import { addCounts } from '#features/delivery/server/new-message-queries.ts'
import type { Template } from '#features/templates/server/queries.ts'
import { mergeTags } from '#features/templates/values.ts'
import { getWallet, post } from '#features/wallet/server/ledger.ts'
import { formatRupees, rupeesFromPaise } from '#lib/money.ts'
import { plural } from '#lib/numbers.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { planScans } from '#lib/server/db/scan-plans.ts'
import { AppError } from '#lib/server/errors.ts'

/** A validated campaign, ready to be written. */
export interface CampaignDraft extends queries.OrderedCampaign, Partial<queries.CampaignOptions> {
	description?: string | undefined
	template: Pick<Template, 'name' | 'language' | 'category' | 'components' | 'headerFile'>
	/** The rules of its audience; made into conditions in the transaction that writes the campaign. */
	segment?: SegmentRules | null
	/** How values of contacts are written, where that was chosen. */
	formats?: Formats | undefined
	/** Writes the messages; without it they go to the contacts of the audience. */
	source?: MessageSource
	/** Throws where an audience of contacts is too large. Called before its messages are written. */
	refuseSize?: (recipients: number) => void
}

/**
 * Writes a campaign in the caller's transaction: itself, one message per recipient, and the hold of their whole price. Too
 * little money is a 402; nobody to send to, or a contact whose message lacks a value or has one that Meta refuses, a 400: the
 * caller's transaction then has to roll back. A request that has written its campaign before gets the id of that one, and writes nothing.
 */
export async function writeCampaign(
	sql: Sql,
	accountId: AccountId,
	draft: CampaignDraft,
): Promise<{ id: number; isNew: boolean }> {
	const { headerFile, ...template } = draft.template
	const { name, language, category, components } = template
	const tags = draft.mergeTags ?? mergeTags(draft.variables)
	const campaignId = await queries.insertCampaign(sql, accountId, {
		...draft,
		description: draft.description || null,
		template: { name, language, category, components },
		headerFile,
		mergeTags: tags,
		kind: draft.kind ?? 'campaign',
		status: draft.status ?? 'pending',
		retryHeldBack: draft.retryHeldBack ?? false,
		retryOf: draft.retryOf ?? null,
		followUpNumber: draft.followUpNumber ?? 0,
	})
	if (campaignId === null) return { id: await findWritten(sql, accountId, draft.requestId), isNew: false }
	const isLimited = draft.kind !== 'chat'
	// Before rows are written in vain; those that are created at the same moment do not see one another yet.
	if (isLimited) await refuseTooMany(sql, accountId)
	// Opted-out recipients are left out of marketing campaigns only.
	const isCapped = (draft.kind ?? 'campaign') === 'campaign'
	const opening = { isMarketing: isMarketing(category), opensAt: draft.opensAt, campaignId }
	const cap = isCapped ? await readCap(sql, accountId, opening) : null
	const { groupId, holdOutPercent } = draft
	const { isMarketing: isMarketingCampaign } = opening
	let write = draft.source
	if (!write) {
		await planScans(sql)
		const own = await listOwnColumns(sql, accountId, { formats: draft.formats, isLocked: true })
		refuseUnknown(tags, own)
		const segment = draft.segment ? await readRules(sql, accountId, { ...draft.segment, isLocked: true }) : null
		const audience = { groupId, segment, isMarketing: isMarketingCampaign, cap }
		write = toContacts({ groupId, segment, own })
		const given = { audience, components, variables: draft.variables, own }
		const { contacts, optedOut, capped, errors } = await measureAudience(sql, accountId, given)
		if (errors[0] !== undefined) throw new AppError(400, errors[0])
		const recipients = isMarketingCampaign ? contacts - optedOut - capped : contacts
		draft.refuseSize?.(recipients)
		await refuseIfUnaffordable(sql, accountId, (recipients - heldOutOf(recipients, holdOutPercent)) * draft.pricePaise)
		if (capped > 0) await addCapped(sql, accountId, { campaignId, count: capped })
	}
	const written = await write(sql, accountId, { campaignId, mergeTags: tags, isMarketing: isMarketingCampaign, cap })
	if (written === 0) throw new AppError(400, NOBODY)
	const heldOut = heldOutOf(written, holdOutPercent)
	if (heldOut > 0) await holdOut(sql, accountId, { campaignId, written, count: heldOut })
	const count = written - heldOut
	await addCounts(sql, accountId, { campaignId, before: 0, count })
	await hold(sql, accountId, { campaignId, count, pricePaise: draft.pricePaise })
	// The hold has locked the wallet, for which whoever else creates one waits.
	if (isLimited) await refuseTooMany(sql, accountId)
	return { id: campaignId, isNew: true }
}

/** A field may have been renamed or deleted since the order was read. */
function refuseUnknown(tags: readonly string[], own: OwnColumns): void {
	const known = new Set(contactTags(own))
	const unknown = tags.find((tag) => !known.has(tag))
	if (unknown === undefined) return
	throw new AppError(409, `Contacts have no {{${unknown}}} any more. Choose another value, then send again.`)
}

/** At once, of one account: each is looked at by every worker that sends for it. */
const MAX_UNFINISHED = 500

/** Counts the new campaign too. */
async function refuseTooMany(sql: Sql, accountId: AccountId): Promise<void> {
	if ((await queries.countUnfinished(sql, accountId)) <= MAX_UNFINISHED) return
	const most = plural(MAX_UNFINISHED, 'campaign')
	throw new AppError(
		409,
		`Your account has ${most} that are scheduled, paused or being sent, which is the most at once. ` +
			'Wait until some are completed, or cancel some.',
	)
}

export const NOBODY = 'This campaign has no recipients'

async function findWritten(sql: Sql, accountId: AccountId, requestId: string | null): Promise<number> {
	const known = requestId === null ? null : await queries.findByRequest(sql, accountId, requestId)
	if (known === null) throw new Error('a campaign was neither created nor found')
	return known
}

/** Refuses before a million rows are written in vain; the hold itself is the decisive check. */
export async function refuseIfUnaffordable(sql: Sql, accountId: AccountId, neededPaise: number): Promise<void> {
	const { availablePaise } = await getWallet(sql, accountId)
	if (neededPaise > availablePaise) throw insufficientBalance(neededPaise, availablePaise)
}

/** Holds the price of this many messages: a 402 when the wallet is short. */
export async function hold(
	sql: Sql,
	accountId: AccountId,
	{ campaignId, count, pricePaise }: { campaignId: number; count: number; pricePaise: number },
): Promise<void> {
	const paise = count * pricePaise
	if (paise === 0) return
	const held = await post(sql, accountId, {
		kind: 'hold',
		reference: `hold:${campaignId}`,
		paise,
		campaignId,
		messageCount: count,
	})
	if (!held) throw insufficientBalance(paise, (await getWallet(sql, accountId)).availablePaise)
}

export function insufficientBalance(neededPaise: number, availablePaise: number): AppError {
	const needed = rupeesFromPaise(neededPaise)
	const available = rupeesFromPaise(availablePaise)
	const message = `This campaign needs ${formatRupees(needed)}, but the wallet has ${formatRupees(available)}. Please recharge.`
	return new AppError(402, message, { needed, available })
}
