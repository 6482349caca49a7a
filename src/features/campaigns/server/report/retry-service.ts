import { failureWords } from '#features/campaigns/failures.ts'
import type { CampaignProblem } from '#features/campaigns/preflight-contract.ts'
import { getPrices } from '#features/pricing/server/service.ts'
import { getWallet } from '#features/wallet/server/service.ts'
import { transaction, type Db, type OwnerId, type Sql } from '#lib/server/db.ts'
import { AppError, notFound } from '#lib/server/errors.ts'
import { createFrom, getUsableTemplate } from '../creation/create.ts'
import { insufficientBalance, NOBODY } from '../creation/write-campaign.ts'
import { lockCampaign } from '../lifecycle/transition-queries.ts'
import { priceOf } from '../price.ts'
import { getFormFacts, type Campaign } from '../queries.ts'
import { listFailures } from './message-queries.ts'
import { copyRetryable, countRetryable, getMergeTags } from './recipient-queries.ts'

/** What sending a campaign's failed messages again would reach; amounts in paise. */
export interface RetryPlan {
	failed: number
	/** Those whose failure would only be repeated, and those whom another retry has reached. */
	notWorthIt: number
	optedOut: number
	recipients: number
	pricePaise: number
	availablePaise: number
	problems: CampaignProblem[]
}

export async function planRetry(db: Db, owner: OwnerId, campaign: Campaign): Promise<RetryPlan> {
	const campaignId = String(campaign.id)
	const codes = await retryableCodes(db, owner, campaignId)
	const { failed: retryable, optedOut } = await countRetryable(db, owner, { campaignId, codes })
	const template = await findTemplate(db, owner, campaign).catch((error: unknown) => {
		if (error instanceof AppError) return error.message
		throw error
	})
	const isUsable = typeof template !== 'string'
	const category = isUsable ? template.category : campaign.template.category
	const left = category === 'MARKETING' ? optedOut : 0
	const recipients = retryable - left
	const pricePaise = priceOf({ category }, await getPrices(db, owner))
	const { availablePaise } = await getWallet(db, owner)
	const problems: CampaignProblem[] = []
	const add = (kind: CampaignProblem['kind'], message: string) => problems.push({ kind, message, isBlocking: true })
	if (!isUsable) add('template', template)
	if (recipients === 0) add('audience', NOBODY)
	if (recipients * pricePaise > availablePaise)
		add('wallet', insufficientBalance(recipients * pricePaise, availablePaise).message)
	const failed = { failed: campaign.failed, notWorthIt: campaign.failed - retryable, optedOut: left }
	return { ...failed, recipients, pricePaise, availablePaise, problems }
}

/**
 * Creates a campaign to those whose message failed for a reason that may pass, with the same template and values, at today's
 * price. Whoever another retry of this campaign has reached, or is about to, is left out. Returns its id.
 */
export async function retryFailed(
	db: Db,
	owner: OwnerId,
	{ campaign, requestId }: { campaign: Campaign; requestId: string | null },
): Promise<number> {
	const campaignId = String(campaign.id)
	const template = await findTemplate(db, owner, campaign)
	const codes = await retryableCodes(db, owner, campaignId)
	const pricePaise = priceOf(template, await getPrices(db, owner))
	return transaction(db, async (sql) => {
		// Two clicks at once: the second waits, and then finds that everybody has been taken.
		if (!(await lockCampaign(sql, owner, campaignId))) throw notFound('Campaign')
		return createFrom(sql, owner, {
			name: `${campaign.name} (retry)`.slice(0, 200),
			description: campaign.description ?? undefined,
			template,
			variables: campaign.variables,
			mergeTags: await getMergeTags(sql, owner, campaignId),
			audienceType: campaign.audienceType,
			audienceName: `Failed messages of ${campaign.name}`,
			groupId: null,
			pricePaise,
			requestId,
			opensAt: null,
			retryHeldBack: campaign.retryHeldBack,
			retryOf: campaignId,
			source: (inner, account, { campaignId: newCampaignId, isMarketing }) =>
				copyRetryable(inner, account, { campaignId, codes, newCampaignId, isMarketing }),
		})
	})
}

async function retryableCodes(sql: Sql, owner: OwnerId, campaignId: string): Promise<number[]> {
	const failures = await listFailures(sql, owner, campaignId)
	return failures.map(({ code }) => code).filter((code) => failureWords(code).isWorthRetrying)
}

/** The account's current template: a campaign stores a copy for display, but sends the current one. */
async function findTemplate(db: Db, owner: OwnerId, campaign: Campaign) {
	const { templateId } = await getFormFacts(db, owner, campaign)
	if (templateId === null) throw new AppError(400, `The template "${campaign.template.name}" is gone`)
	return getUsableTemplate(db, owner, templateId)
}
