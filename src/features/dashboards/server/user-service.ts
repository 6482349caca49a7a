import { presentCampaign } from '#features/campaigns/server/present.ts'
import { listByStatus } from '#features/campaigns/server/queries.ts'
import { rupeesFromPaise } from '#lib/money.ts'
import type { Db, OwnerId } from '#lib/server/db.ts'
import * as queries from './queries.ts'

const WEEK_DAYS = 7

export async function getUserStats(db: Db, owner: OwnerId) {
	const [days, upcoming, running, steps] = await Promise.all([
		queries.listDays(db, owner),
		listByStatus(db, owner, { status: 'pending', limit: 5 }),
		listByStatus(db, owner, { status: 'processing', limit: 5 }),
		queries.getSteps(db, owner),
	])
	const sum = (pick: (day: queries.DayStats) => number) => sumOf(days, pick)
	const due = countDue(days)
	const share = (part: number) => (due > 0 ? Math.min(1, part / due) : null)
	const today = days.at(-1)
	return {
		today: {
			pending: running.reduce((total, campaign) => total + campaign.pending, 0),
			sent: today?.sent ?? 0,
			delivered: today?.delivered ?? 0,
			read: today?.read ?? 0,
			failed: today?.failed ?? 0,
		},
		month: {
			messages: sum((day) => day.sent),
			spent: rupeesFromPaise(sum((day) => day.spentPaise)),
			deliveryRate: share(sum((day) => day.delivered)),
			readRate: share(sum((day) => day.read)),
		},
		days: days.slice(-WEEK_DAYS),
		upcoming: upcoming.map(presentCampaign),
		running: running.map(presentCampaign),
		steps,
	}
}

/** The days of which messages may have been sent less than 24 hours ago: today and yesterday. */
const RECENT_DAYS = 2

/** How many messages have had their time: those sent on earlier days, and recent ones as soon as they are delivered. */
function countDue(days: readonly queries.DayStats[]): number {
	const recent = days.slice(-RECENT_DAYS)
	const settled = Math.min(
		sumOf(recent, ({ sent }) => sent),
		sumOf(recent, ({ delivered }) => delivered),
	)
	return sumOf(days.slice(0, -RECENT_DAYS), ({ sent }) => sent) + settled
}

function sumOf(days: readonly queries.DayStats[], pick: (day: queries.DayStats) => number): number {
	return days.reduce((total, day) => total + pick(day), 0)
}
