import { rupeesFromPaise } from '#lib/money.ts'
import type { Db, OwnerId, Sql } from '#lib/server/db.ts'
import { notFound } from '#lib/server/errors.ts'
import { presentCampaign } from './present.ts'
import * as queries from './queries.ts'

export async function getCampaign(sql: Sql, owner: OwnerId, id: string): Promise<queries.Campaign> {
	const campaign = await queries.findCampaign(sql, owner, id)
	if (!campaign) throw notFound('Campaign')
	return campaign
}

const MONTH_DAYS = 30
const WEEK_DAYS = 7

/** The stats of the user's dashboard. */
export async function getDashboard(db: Db, owner: OwnerId) {
	const [days, upcoming, running, steps] = await Promise.all([
		queries.listDays(db, owner, MONTH_DAYS),
		queries.listByStatus(db, owner, { status: 'pending', limit: 5 }),
		queries.listByStatus(db, owner, { status: 'processing', limit: 5 }),
		queries.getSteps(db, owner),
	])
	const sum = (pick: (day: queries.DayTotals) => number) => days.reduce((total, day) => total + pick(day), 0)
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
		days: days
			.slice(-WEEK_DAYS)
			.map(({ day, sent, delivered, read, failed }) => ({ day, sent, delivered, read, failed })),
		upcoming: upcoming.map(presentCampaign),
		running: running.map(presentCampaign),
		steps,
	}
}
