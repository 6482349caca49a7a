import { addCapped } from '#features/audiences/server/recipients/frequency-queries.ts'
import { readCap } from '#features/audiences/server/recipients/frequency.ts'
import type { CampaignProblem } from '#features/campaigns/preflight-contract.ts'
import type { campaignReports } from '#features/campaigns/report-contract.ts'
import { lockCampaign } from '#features/delivery/server/lifecycle/transition-queries.ts'
import { failureWords } from '#features/delivery/server/message/failure-words.ts'
import { isMarketing, priceOf } from '#features/delivery/server/message/price.ts'
import { copyReferences } from '#features/delivery/server/message/reference-queries.ts'
import { getPrices } from '#features/pricing/server/queries.ts'
import { getWallet } from '#features/wallet/server/ledger.ts'
import type { ResponseIn } from '#lib/endpoint.ts'
import { rupeesFromPaise } from '#lib/money.ts'
import { transaction, type Db, type AccountId, type Sql } from '#lib/server/db.ts'
import { announceLive } from '#lib/server/db/channels.ts'
import { AppError, notFound } from '#lib/server/errors.ts'
import { createFrom, getUsableTemplate, WRITE_TIMEOUT_MS } from '../creation/create.ts'
import { insufficientBalance, NOBODY, type CampaignDraft } from '../creation/write-campaign.ts'
import { getFormFacts, type Campaign } from '../queries.ts'
import { listFailures } from './message-queries.ts'
import {
	copyRetryable,
	countRetryable,
	getMergeTags,
	listRetries,
	takeFollowUp,
	type Retryable,
} from './recipient-queries.ts'

type RetryPlan = ResponseIn<typeof campaignReports.retryEstimate>

/** What sending a campaign's failed messages again would reach and cost. */
export async function planRetry(db: Db, accountId: AccountId, campaign: Campaign): Promise<RetryPlan> {
	const campaignId = String(campaign.id)
	const codes = await retryableCodes(db, accountId, campaignId)
	const family = await listRetries(db, accountId, campaignId)
	const wanted = { campaignId, codes, family, isFollowUp: false }
	const template = await findTemplate(db, accountId, campaign).catch((error: unknown) => {
		if (error instanceof AppError) return error.message
		throw error
	})
	const isUsable = typeof template !== 'string'
	const category = isUsable ? template.category : campaign.template.category
	const opening = { isMarketing: isMarketing(category), opensAt: null }
	const counted = await countRetryable(db, accountId, { ...wanted, cap: await readCap(db, accountId, opening) })
	const { failed: retryable, capped } = counted
	const optedOut = opening.isMarketing ? counted.optedOut : 0
	const recipients = retryable - optedOut - capped
	const pricePaise = priceOf({ category }, await getPrices(db, accountId))
	const { availablePaise } = await getWallet(db, accountId)
	const problems: CampaignProblem[] = []
	const add = (kind: CampaignProblem['kind'], message: string) => problems.push({ kind, message, isBlocking: true })
	if (!isUsable) add('template', template)
	if (recipients === 0) add('audience', NOBODY)
	if (recipients * pricePaise > availablePaise)
		add('wallet', insufficientBalance(recipients * pricePaise, availablePaise).message)
	return {
		failed: campaign.failed,
		notWorthIt: campaign.failed - retryable,
		optedOut,
		capped,
		recipients,
		price: rupeesFromPaise(pricePaise),
		cost: rupeesFromPaise(pricePaise * recipients),
		walletBalance: rupeesFromPaise(availablePaise),
		problems,
	}
}

/**
 * Creates a campaign to those whose message failed for a reason that may pass, with the same template and values, at today's
 * price. A message that another retry of this campaign has sent again, or is about to, is left out. Returns its id.
 */
export async function retryFailed(
	db: Db,
	accountId: AccountId,
	{ campaign, requestId }: { campaign: Campaign; requestId: string | null },
): Promise<number> {
	const campaignId = String(campaign.id)
	const template = await findTemplate(db, accountId, campaign)
	const codes = await retryableCodes(db, accountId, campaignId)
	const pricePaise = priceOf(template, await getPrices(db, accountId))
	const work = async (sql: Sql) => {
		const family = await lockRetries(sql, accountId, campaignId)
		// Whom WhatsApp held back is among those that this retry takes.
		await takeFollowUp(sql, accountId, { campaignId, isDue: false })
		return createRetry(sql, accountId, {
			campaign,
			recipients: { codes, family, isFollowUp: false },
			differing: { name: `${campaign.name} (retry)`.slice(0, 200), template, pricePaise, requestId },
		})
	}
	return transaction(db, work, { timeoutMs: WRITE_TIMEOUT_MS })
}

/**
 * Locks the first campaign of a family, and returns all of them. Of two retries at once the second waits, and then finds that
 * everybody has been taken.
 */
export async function lockRetries(sql: Sql, accountId: AccountId, campaignId: string): Promise<number[]> {
	const [first = 0] = await listRetries(sql, accountId, campaignId)
	if (!(await lockCampaign(sql, accountId, String(first)))) throw notFound('Campaign')
	return listRetries(sql, accountId, campaignId)
}

/** Writes a campaign to these recipients of another, which is as that one but for what differs, in the caller's transaction. */
export async function createRetry(
	sql: Sql,
	accountId: AccountId,
	given: {
		campaign: Campaign
		recipients: Omit<Retryable, 'campaignId'>
		differing: Pick<CampaignDraft, 'name' | 'template' | 'pricePaise' | 'requestId' | 'followUpNumber'>
	},
): Promise<number> {
	const { campaign, recipients } = given
	const campaignId = String(campaign.id)
	const id = await createFrom(sql, accountId, {
		...given.differing,
		description: campaign.description ?? undefined,
		variables: campaign.variables,
		mergeTags: await getMergeTags(sql, accountId, campaignId),
		audienceType: campaign.audienceType,
		audienceName: `Failed messages of ${campaign.name}`,
		groupId: null,
		opensAt: null,
		retryHeldBack: campaign.retryHeldBack,
		retryOf: campaignId,
		source: async (inner, account, { campaignId: newCampaignId, ...target }) => {
			const wanted = { ...recipients, campaignId, cap: target.cap }
			const { capped } = target.cap ? await countRetryable(inner, account, wanted) : { capped: 0 }
			if (capped > 0) await addCapped(inner, account, { campaignId: newCampaignId, count: capped })
			const retried = await copyRetryable(inner, account, { ...wanted, newCampaignId, isMarketing: target.isMarketing })
			const [firstId = campaign.id] = wanted.family
			await copyReferences(inner, account, { firstId, retryId: newCampaignId })
			return retried
		},
	})
	// Its report shows what sends its messages again.
	announceLive(sql, accountId, { kind: 'campaign', id: campaignId })
	return id
}

async function retryableCodes(sql: Sql, accountId: AccountId, campaignId: string): Promise<number[]> {
	const failures = await listFailures(sql, accountId, campaignId)
	return failures.map(({ code }) => code).filter((code) => failureWords(code).isWorthRetrying)
}

/** The account's current template: a campaign stores a copy for display, but sends the current one. */
export async function findTemplate(db: Db, accountId: AccountId, campaign: Campaign) {
	const { templateId } = await getFormFacts(db, accountId, campaign)
	if (templateId === null) throw new AppError(400, `The template "${campaign.template.name}" is gone`)
	return getUsableTemplate(db, accountId, templateId)
}
