import { isAccountInUse } from '#features/auth/server/queries.ts'
import { problem } from '#features/campaigns/problems.ts'
import { THROTTLED_CODE } from '#features/delivery/rules.ts'
import { takeFollowUp } from '#features/delivery/server/orders/order-queries.ts'
import { notificationOf } from '#features/notifications/server/kinds.ts'
import { OTHER_MARKETS } from '#features/pricing/contract.ts'
import type { MarketPrices } from '#features/pricing/rules.ts'
import { findPrices } from '#features/pricing/server/service.ts'
import { AppError } from '#lib/app-error.ts'
import { transaction, type AccountId, type Sql } from '#lib/server/db.ts'
import { scanAllAccounts, forEachAccount, type SweepContext } from '#lib/server/db/all-accounts.ts'
import { announceLive } from '#lib/server/db/channels/channels.ts'
import type { Notify } from '#lib/server/db/channels/notify.ts'
import { cutTo } from '#lib/text/characters.ts'
import { WRITE_TIMEOUT_MS } from '../creation/write-order.ts'
import { findCampaign, type Campaign } from '../queries.ts'
import { listFollowUpsDueAllAccounts } from './recipient-queries.ts'
import { createRetry, findTemplate, lockRetries } from './retry-service.ts'

interface FollowUpContext extends SweepContext {
	notify: Notify
}

const SCAN_LIMIT = 100

/**
 * Creates up to SCAN_LIMIT follow-ups that are due: a campaign each, of the throttled messages. Returns the number of
 * those created or refused with a notification. Idempotent: one transaction removes the time and writes the campaign.
 */
export async function createFollowUps(context: FollowUpContext): Promise<number> {
	const due = await scanAllAccounts(context.db, (only) =>
		listFollowUpsDueAllAccounts(context.db, { limit: SCAN_LIMIT, only }),
	)
	return forEachAccount(context, due, async ({ accountId, campaignId }) => {
		const campaign = await findCampaign(context.db, accountId, campaignId)
		return campaign && (await createFollowUp(context, accountId, campaign)) ? 1 : 0
	})
}

/**
 * Creates one follow-up. When it cannot be created, the account is notified once, and may still retry by hand. Returns false
 * when another process was first.
 */
async function createFollowUp(
	{ db, notify }: Pick<FollowUpContext, 'db' | 'notify'>,
	accountId: AccountId,
	campaign: Campaign,
): Promise<boolean> {
	const due = { campaignId: String(campaign.id), isDue: true }
	try {
		if (!(await isAccountInUse(db, accountId))) throw problem('account_not_in_use')
		const template = await findTemplate(db, accountId, campaign)
		const { category } = campaign.template
		const prices = lowerPrices(campaign, await findPrices(db, accountId, { category }))
		const work = async (sql: Sql) => {
			const family = await lockRetries(sql, accountId, due.campaignId)
			if (!(await takeFollowUp(sql, accountId, due))) return false
			const followUpNumber = campaign.followUpNumber + 1
			await createRetry(sql, accountId, {
				campaign,
				recipients: { codes: [THROTTLED_CODE], family, isFollowUp: true },
				differing: {
					name: followUpName(campaign.name, followUpNumber),
					// The category and price that the account agreed to. If Meta has moved the template to another category,
					// the campaign is paused when it opens, until its new price is confirmed.
					template: { ...template, category },
					...prices,
					requestId: null,
					followUpNumber,
				},
			})
			return true
		}
		return await transaction(db, work, { timeoutMs: WRITE_TIMEOUT_MS })
	} catch (error) {
		if (!(error instanceof AppError)) throw error
		const { id, name } = campaign
		return transaction(db, async (sql) => {
			if (!(await takeFollowUp(sql, accountId, due))) return false
			await notify(sql, accountId, notificationOf.notSentAgain({ id, name, reason: reasonOf(error) }))
			announceLive(sql, accountId, { kind: 'campaign', id: due.campaignId })
			return true
		})
	}
}

/**
 * Returns today's prices where they are lower than those of the campaign. Each message of a campaign with several prices
 * costs at most what it cost there.
 */
function lowerPrices(campaign: Campaign, today: MarketPrices): MarketPrices & { hasLimits: boolean } {
	const pricePaise = campaign.pricePaise < today.pricePaise ? campaign.pricePaise : today.pricePaise
	if (!campaign.hasMessagePrices && !today.abroadPrices) return { pricePaise, abroadPrices: null, hasLimits: false }
	// Today's home price stays the price of other markets without a price of their own.
	const abroad = OTHER_MARKETS.map((market) => [market, today.abroadPrices?.get(market) ?? today.pricePaise] as const)
	return { pricePaise, abroadPrices: new Map(abroad), hasLimits: true }
}

function reasonOf({ code, message }: AppError): string {
	if (code === 'recipients_missing')
		return 'All their recipients have been reached, have opted out or have got enough marketing since.'
	return `${message.replace(/[^.]$/, '$&.')} Once that is solved, use "Retry failed" in its report.`
}

const MAX_NAME_LENGTH = 200

/** Returns the name of a follow-up: "Festive offer (follow-up 1)", "Festive offer (follow-up 2)". */
function followUpName(name: string, number: number): string {
	const suffix = ` (follow-up ${number})`
	return `${cutTo(name.replace(/ \(follow-up \d\)$/, ''), MAX_NAME_LENGTH - suffix.length)}${suffix}`
}
