import { shareOf } from '#features/campaigns/rules.ts'
import { presentCampaign } from '#features/campaigns/server/present.ts'
import { listBefore, listByStatus } from '#features/campaigns/server/queries.ts'
import { describeInbox, findLongestWaiting } from '#features/chats/server/service.ts'
import { getNumberStanding } from '#features/delivery/server/service.ts'
import { rupeesFromPaise } from '#lib/money.ts'
import type { Db, AccountId } from '#lib/server/db.ts'
import { sumDays } from './day-totals.ts'
import * as queries from './queries.ts'

const WEEK_DAYS = 7
const CAMPAIGNS_SHOWN = 5

export async function getUserStats(db: Db, accountId: AccountId) {
	const [days, outcomes, latest, upcoming, running, limit, facts, waiting, inbox] = await Promise.all([
		queries.listDays(db, accountId),
		queries.sumOutcomes(db, accountId),
		listBefore(db, accountId, { before: undefined, limit: CAMPAIGNS_SHOWN }),
		listByStatus(db, accountId, { status: 'pending', limit: CAMPAIGNS_SHOWN }),
		listByStatus(db, accountId, { status: 'processing', limit: CAMPAIGNS_SHOWN }),
		getNumberStanding(db, accountId),
		queries.getAccountFacts(db, accountId),
		findLongestWaiting(db, accountId),
		describeInbox(db, accountId),
	])
	const [today, month] = [sumDays(days.slice(-1)), sumDays(days)]
	return {
		today: {
			pending: running.reduce((total, campaign) => total + campaign.pending, 0),
			...today.messages,
		},
		month: {
			messages: month.messages.sent,
			spent: rupeesFromPaise(month.spentPaise),
			deliveryRate: shareOf(outcomes.delivered, outcomes.recipients),
			readRate: shareOf(outcomes.read, outcomes.recipients),
			arriving: outcomes.arriving,
		},
		days: days.slice(-WEEK_DAYS),
		latest: latest.map(presentCampaign),
		upcoming: upcoming.map(presentCampaign),
		running: running.map(presentCampaign),
		waitingChats: waiting.count,
		longestWaiting: waiting.longest,
		inbox,
		wallet: {
			balance: rupeesFromPaise(facts.availablePaise),
			marketingMessages: facts.marketingMessages,
		},
		limit,
		steps: facts.steps,
	}
}
