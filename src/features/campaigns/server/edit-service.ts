import { listCustomColumns, type CustomColumns } from '#features/audiences/server/merge-column-queries.ts'
import { findValueErrors } from '#features/audiences/server/service.ts'
import { contactTags } from '#features/audiences/values.ts'
import { recordWork } from '#features/auth/server/service.ts'
import { problem } from '#features/campaigns/problems.ts'
import * as orders from '#features/delivery/server/orders/order-queries.ts'
import { announceWork } from '#features/delivery/server/service.ts'
import { openParts } from '#features/templates/filled.ts'
import { FILE_TAG } from '#features/templates/server/message-file.ts'
import { mergeTags, type Variables } from '#features/templates/values.ts'
import type { PartOut } from '#lib/endpoint.ts'
import { notFound } from '#lib/problems.ts'
import { transaction, type Db, type AccountId, type Sql } from '#lib/server/db.ts'
import { announceLive } from '#lib/server/db/channels/channels.ts'
import type { campaigns } from '../contract.ts'
import { readOpening, readVariables } from './creation/read-form.ts'
import { rewriteMergeValues } from './edit-queries.ts'

type EditForm = PartOut<typeof campaigns.update.body>

/** Timeout in milliseconds: long enough to rewrite the values of a million messages. */
const TIMEOUT_MS = 120_000

/**
 * Changes a campaign that waits for its time; its audience and template, and so its cost, stay. Throws a 409 for one that has
 * started: the edit and the opener both lock the campaign, and the first one wins.
 */
export function editCampaign(
	db: Db,
	accountId: AccountId,
	{ campaignId, form, by }: { campaignId: string; form: EditForm; by?: number },
): Promise<void> {
	const opensAt = readOpening(form)
	const work = async (sql: Sql) => {
		const campaign = await orders.lockOrder(sql, accountId, campaignId)
		if (!campaign) throw notFound('Campaign')
		refuseUnlessWaiting(campaign)
		const customColumns = campaign.isToContacts ? await listCustomColumns(sql, accountId) : new Map()
		// The messages keep their values of a field that was renamed or deleted since.
		const further = campaign.isToContacts ? contactTags(customColumns) : []
		const tags = [...new Set([...further, ...campaign.mergeTags])]
		const variables = readVariables(campaign, form.variables, tags)
		await ensureMergeValues(sql, accountId, { campaignId, campaign, variables, customColumns })
		const { name, description = '' } = form
		await orders.updateCampaign(sql, accountId, {
			campaignId,
			name,
			description: description || null,
			variables,
			opensAt,
		})
		if (by) await recordWork(sql, accountId, { by, action: 'campaign-edited', details: name })
		announceWork(sql, accountId)
		announceLive(sql, accountId, { kind: 'campaign', id: campaignId })
	}
	return transaction(db, work, { timeoutMs: TIMEOUT_MS })
}

function refuseUnlessWaiting({ kind, status, hasStarted }: orders.LockedOrder): void {
	// A program ordered each message of an API campaign with its values, so the campaign cannot be edited.
	if (kind === 'api') throw problem('campaign_of_program')
	if (status === 'cancelled' || status === 'failed') throw problem('campaign_unchangeable', { status })
	if (hasStarted || (status !== 'pending' && status !== 'paused')) throw problem('campaign_started')
}

interface Merging {
	campaignId: string
	campaign: orders.LockedOrder
	variables: Variables
	customColumns: CustomColumns
}

/** Rewrites the messages' values when the variables use merge tags that they lack. Throws a 400 for missing or refused values. */
async function ensureMergeValues(
	sql: Sql,
	accountId: AccountId,
	{ campaignId, campaign, variables, customColumns }: Merging,
): Promise<void> {
	const used = mergeTags(variables)
	const isMissing = used.some((tag) => !campaign.mergeTags.includes(tag))
	const kept = campaign.mergeTags.filter((tag) => tag === FILE_TAG)
	if (isMissing)
		await rewriteMergeValues(sql, accountId, {
			campaignId,
			before: campaign.mergeTags,
			mergeTags: [...used, ...kept],
			customColumns,
		})
	const tags = isMissing ? used : campaign.mergeTags
	const places = used.map((tag) => tags.indexOf(tag) + 1)
	const parts = openParts(campaign.components, variables)
	const [error] = await findValueErrors(sql, accountId, { campaignId, variables, tags: used, places, parts })
	if (error !== undefined) throw problem('values_unfit', { reason: error })
}
