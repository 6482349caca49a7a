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
	const sum = (pick: (day: queries.DayStats) => number) => days.reduce((total, day) => total + pick(day), 0)
	const messages = sum((day) => day.sent)
	const share = (part: number) => (messages > 0 ? Math.min(1, part / messages) : null)
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
			messages,
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
