import type { UnderLimit } from '#features/delivery/contract.ts'
import { CAMPAIGN_SHARE } from '#features/delivery/rules.ts'
import { findSenderLimit, listFreedAllAccounts, planSending } from '#features/limits/server/service.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { isCancelled } from '#lib/server/db/scan-plans.ts'
import { findRules } from '../sending-rules-queries.ts'
import { findPacingFacts, listSentByDay, type PacingFacts } from './pacing-queries.ts'
import { countAheadAllAccounts } from './waiting-queries.ts'

/** People whom a campaign has still to reach. */
export interface PacedRecipients {
	people: number
	/** The scheduled start; null for now. */
	opensAt: Date | null
	/** The start of a campaign that is being sent; null or absent for any other. */
	startedAt?: Date | null
	/** The time in India from which the campaign continues on each day after its first. */
	dailyStart?: string | null | undefined
	/** Id of the campaign whose remaining people are given; absent for an order. */
	campaignId?: number
}

const NONE: UnderLimit = { limit: null, plan: null }

/**
 * Returns the account's limit, and the time that these people need under it; nulls without a known limit. The plan counts each
 * of them as a new person, and lets the portfolio's running campaigns go first.
 */
export async function underLimit(
	sql: Sql,
	accountId: AccountId,
	{ people, opensAt, startedAt, dailyStart, campaignId = 0 }: PacedRecipients,
): Promise<UnderLimit> {
	const sender = await findSenderLimit(sql, accountId)
	if (!sender || sender.perDay === null) return NONE
	const { perDay, portfolio, messagesPerSecond } = sender
	const freed = await listFreedAllAccounts(sql, portfolio)
	const left = Math.max(0, perDay - freed.reduce((sum, one) => sum + one.people, 0))
	const limit = { perDay, left }
	if (people === 0) return { limit, plan: null }
	const now = Date.now()
	const plan = planSending({
		people,
		ahead: await countAhead(sql, accountId, { portfolio, exceptId: campaignId }),
		now,
		startsAt: opensAt?.getTime() ?? now,
		startedAt: startedAt?.getTime() ?? null,
		perDay,
		left,
		freed: freed.map((one) => ({ ...one, at: one.at.getTime() })),
		messagesPerSecond: messagesPerSecond * CAMPAIGN_SHARE,
		dailyStart: dailyStart || null,
		quiet: (await findRules(sql, accountId)).quiet,
	})
	return { limit, plan }
}

/**
 * Counts the messages that are sent before a campaign's; only the account's own while a machine of a distributed database
 * does not answer.
 */
async function countAhead(
	sql: Sql,
	accountId: AccountId,
	of: { portfolio: string; exceptId: number },
): Promise<number> {
	try {
		return await countAheadAllAccounts(sql, { ...of, only: null })
	} catch (error) {
		if (isCancelled(error)) throw error
		return countAheadAllAccounts(sql, { ...of, only: accountId })
	}
}

/** The choices, the progress and the plan of a campaign. */
export type Pacing = UnderLimit &
	Pick<PacingFacts, 'recipientOrder' | 'dailyStart' | 'limitedUntil'> & {
		progressByDay: { day: string; sent: number }[]
	}

/** Returns the choices, the progress and the plan of a campaign; the limit and the plan only while messages are pending. */
export async function pacingOf(sql: Sql, accountId: AccountId, campaignId: number): Promise<Pacing> {
	const facts = await findPacingFacts(sql, accountId, campaignId)
	if (!facts) throw new Error(`campaign ${campaignId} is gone`)
	const { pending: people, opensAt, startedAt, ...shown } = facts
	const progressByDay = await listSentByDay(sql, accountId, campaignId)
	const recipients = { people, opensAt, startedAt, dailyStart: shown.dailyStart, campaignId }
	return { ...shown, progressByDay, ...(people > 0 ? await underLimit(sql, accountId, recipients) : NONE) }
}
