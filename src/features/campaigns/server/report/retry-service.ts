import type { RecipientSource } from '#features/audiences/server/recipients/recipient-sources.ts'
import { problem } from '#features/campaigns/problems.ts'
import type { campaignReports } from '#features/campaigns/report-contract.ts'
import type { ShownPrices } from '#features/campaigns/rules.ts'
import { THROTTLED_CODE } from '#features/delivery/rules.ts'
import { failureWords } from '#features/delivery/server/message/failure-words.ts'
import { copyReferences } from '#features/delivery/server/message/reference-queries.ts'
import { findByRequest, lockOrder } from '#features/delivery/server/orders/order-queries.ts'
import { abroadDigest, findPrices } from '#features/pricing/server/service.ts'
import { AppError } from '#lib/app-error.ts'
import type { ResponseIn } from '#lib/endpoint.ts'
import { rupeesFromPaise } from '#lib/money.ts'
import { notFound } from '#lib/problems.ts'
import { transaction, type Db, type AccountId, type Sql } from '#lib/server/db.ts'
import { announceLive } from '#lib/server/db/channels/channels.ts'
import { cutTo } from '#lib/text/characters.ts'
import { costOf, countOf, planOrder, problemOf, refuseOtherPrices, type PlanProblem } from '../creation/plan-order.ts'
import { presentSplit } from '../creation/present-split.ts'
import { getUsableTemplate } from '../creation/read-form.ts'
import { WRITE_TIMEOUT_MS, writeOrder } from '../creation/write-order.ts'
import { getFormFacts, type Campaign, type Failure } from '../queries.ts'
import { listFailures } from './message-queries.ts'
import { countRetryable, getMergeTags, listRetries, retryableRows, type Retryable } from './recipient-queries.ts'

const MAX_NAME_LENGTH = 200
const SUFFIX = ' (retry)'

type RetryEstimate = ResponseIn<typeof campaignReports.retryEstimate>

/** Returns the reach and cost of sending a campaign's failed messages again. */
export async function estimateRetry(db: Db, accountId: AccountId, campaign: Campaign): Promise<RetryEstimate> {
	const campaignId = String(campaign.id)
	const failures = await listFailures(db, accountId, campaignId)
	const family = await listRetries(db, accountId, campaignId)
	const unusable: PlanProblem[] = []
	const template = await findTemplate(db, accountId, campaign).catch((error: unknown) => {
		if (!(error instanceof AppError)) throw error
		unusable.push(problemOf('template', error))
		return campaign.template
	})
	const order = {
		template,
		variables: campaign.variables,
		source: toFailed({ campaignId, codes: codesToRetry(failures), family }),
		...(await findPrices(db, accountId, template)),
		opensAt: null,
	}
	const plan = await planOrder(db, accountId, order)
	const { reach, prices, availablePaise, problems } = plan
	const { contacts, optedOut, capped } = reach
	const heldBack = countThrottled(failures)
	return {
		failed: campaign.failed,
		heldBack,
		notWorthIt: campaign.failed - heldBack - contacts,
		optedOut,
		capped,
		recipients: countOf(prices),
		price: rupeesFromPaise(order.pricePaise),
		cost: rupeesFromPaise(costOf(prices)),
		...presentSplit(plan),
		abroadPrices: abroadDigest(order),
		walletBalance: rupeesFromPaise(availablePaise),
		problems: [...unusable, ...problems].map(({ kind, message }) => ({ kind, message, isBlocking: true })),
	}
}

/** Returns failed messages of a campaign as recipients, with the values they had. */
function toFailed(wanted: Retryable): RecipientSource {
	return {
		isLive: true,
		open: async () => ({
			async measure(sql, accountId, { isMarketing, cap }) {
				return { ...(await countRetryable(sql, accountId, { ...wanted, isMarketing, cap })), gaps: {}, errors: [] }
			},
			async *select(sql, accountId, { isMarketing, cap }) {
				yield {
					rows: retryableRows(sql, accountId, { ...wanted, isMarketing, cap }),
					capped: 0,
					writeReferences: (retryId) => copyReferences(sql, accountId, { firstId: firstOf(wanted), retryId }),
				}
			},
		}),
	}
}

/**
 * Creates a campaign of the messages that failed for a temporary reason, with the same template and values, at today's
 * price; a 409 when the screen showed other prices. Leaves out messages that another retry of the family has sent again,
 * or will. Returns its id.
 */
export async function retryFailed(
	db: Db,
	accountId: AccountId,
	{
		campaign,
		requestId,
		shown = {},
		by,
	}: { campaign: Campaign; requestId: string | null; shown?: ShownPrices; by?: number },
): Promise<number> {
	const campaignId = String(campaign.id)
	const template = await findTemplate(db, accountId, campaign)
	const codes = codesToRetry(await listFailures(db, accountId, campaignId))
	const prices = await findPrices(db, accountId, template)
	const isRepeated = requestId !== null && (await findByRequest(db, accountId, requestId)) !== null
	if (!isRepeated) refuseOtherPrices(shown, prices)
	const work = async (sql: Sql) => {
		const family = await lockRetries(sql, accountId, campaignId)
		const { id } = await writeOrder(sql, accountId, {
			name: cutTo(campaign.name, MAX_NAME_LENGTH - SUFFIX.length) + SUFFIX,
			description: campaign.description ?? undefined,
			template,
			...prices,
			variables: campaign.variables,
			mergeTags: await getMergeTags(sql, accountId, campaignId),
			audienceType: campaign.audienceType,
			audienceName: `Failed messages of ${campaign.name}`,
			groupId: null,
			requestId,
			opensAt: null,
			retryOf: campaignId,
			by,
			source: toFailed({ campaignId, codes, family }),
		})
		// The report of the retried campaign links to the new campaign.
		announceLive(sql, accountId, { kind: 'campaign', id: campaignId })
		return id
	}
	return transaction(db, work, { timeoutMs: WRITE_TIMEOUT_MS })
}

/**
 * Locks the first campaign of a family and returns the ids of all. The second of two concurrent retries waits here, and then
 * finds that no message is left.
 */
async function lockRetries(sql: Sql, accountId: AccountId, campaignId: string): Promise<number[]> {
	const [first = 0] = await listRetries(sql, accountId, campaignId)
	if (!(await lockOrder(sql, accountId, String(first)))) throw notFound('Campaign')
	return listRetries(sql, accountId, campaignId)
}

function firstOf({ family, campaignId }: Retryable): number {
	return family[0] ?? Number(campaignId)
}

function codesToRetry(failures: readonly Failure[]): number[] {
	return failures.map(({ code }) => code).filter((code) => failureWords(code).isWorthRetrying)
}

function countThrottled(failures: readonly Failure[]): number {
	return failures.reduce((sum, { code, count }) => sum + (code === THROTTLED_CODE ? count : 0), 0)
}

/**
 * Returns the account's current template: a campaign stores a copy for display, but a retry sends the current one.
 * Throws a 400 or 404 when the template is gone or cannot be sent.
 */
async function findTemplate(db: Db, accountId: AccountId, campaign: Campaign) {
	const { templateId } = await getFormFacts(db, accountId, campaign)
	if (templateId === null) throw problem('template_gone', { template: campaign.template.name })
	return getUsableTemplate(db, accountId, templateId)
}
