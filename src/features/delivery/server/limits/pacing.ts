import type { MessagingLimit, SendingPlan, UnderLimit } from '#features/delivery/contract.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { findPacingFacts, listSentByDay, type PacingFacts } from './pacing-queries.ts'

/** People whom a campaign has still to reach. */
export interface PacedRecipients {
	people: number
	/** The scheduled start; null for now. */
	opensAt: Date | null
	/** The time in India from which the campaign continues on each day after its first. */
	dailyStart?: string | null | undefined
}

/** Returns the account's limit, and the time that these people need under it. */
export async function underLimit(_sql: Sql, _accountId: AccountId, _recipients: PacedRecipients): Promise<UnderLimit> {
	const limit: MessagingLimit | null = null
	const plan: SendingPlan | null = null
	return { limit, plan }
}

/** The choices, the progress and the plan of a campaign. */
export type Pacing = UnderLimit &
	Pick<PacingFacts, 'recipientOrder' | 'dailyStart' | 'limitedUntil'> & {
		progressByDay: { day: string; sent: number }[]
	}

/** Returns the choices, the progress and the plan of a campaign. */
export async function pacingOf(sql: Sql, accountId: AccountId, campaignId: number): Promise<Pacing> {
	const facts = await findPacingFacts(sql, accountId, campaignId)
	if (!facts) throw new Error(`campaign ${campaignId} is gone`)
	const { recipientOrder, dailyStart, limitedUntil, opensAt, pending: people } = facts
	const progressByDay = await listSentByDay(sql, accountId, campaignId)
	const rest =
		people > 0 ? await underLimit(sql, accountId, { people, opensAt, dailyStart }) : { limit: null, plan: null }
	return { recipientOrder, dailyStart, limitedUntil, progressByDay, ...rest }
}
