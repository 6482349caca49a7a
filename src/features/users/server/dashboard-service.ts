import { rupeesFromPaise } from '#lib/money.ts'
import type { Db } from '#lib/server/db.ts'
import type { AdminFigures } from '../contract.ts'
import * as queries from './dashboard-queries.ts'

const MONTH_DAYS = 30
/** So many are named; the rest is a number. */
const NAMED = 5

/** The admin dashboard's figures, of all accounts together. */
export async function getAdminFigures(db: Db): Promise<AdminFigures> {
	const [accounts, days, money, stopped, withoutSender, withoutMoney] = await Promise.all([
		queries.countAccountsAllOwners(db),
		queries.listDaysAllOwners(db, MONTH_DAYS),
		queries.sumMoneyAllOwners(db),
		queries.listStoppedSendersAllOwners(db, NAMED),
		queries.listUsersWithoutSenderAllOwners(db, NAMED),
		queries.listUsersWithoutMoneyAllOwners(db, NAMED),
	])
	const today = days.slice(-1)
	return {
		accounts,
		messages: {
			today: sum(today),
			month: sum(days),
			days: days.map(({ day, sent, delivered, read, failed }) => ({ day, sent, delivered, read, failed })),
		},
		money: {
			balance: rupeesFromPaise(money.availablePaise),
			onHold: rupeesFromPaise(money.heldPaise),
			spentToday: rupeesFromPaise(spent(today)),
			spentMonth: rupeesFromPaise(spent(days)),
		},
		problems: stopped.map(({ id, name, email, reason, since }) => ({
			_id: String(id),
			name,
			email,
			reason,
			since: since?.toISOString() ?? null,
		})),
		problemCount: stopped[0]?.total ?? 0,
		withoutCredentials: affected(withoutSender),
		withoutMoney: affected(withoutMoney),
	}
}

function sum(days: queries.DayFigures[]) {
	const add = (pick: (day: queries.DayFigures) => number) => days.reduce((total, day) => total + pick(day), 0)
	return {
		sent: add((day) => day.sent),
		delivered: add((day) => day.delivered),
		read: add((day) => day.read),
		failed: add((day) => day.failed),
	}
}

function spent(days: queries.DayFigures[]): number {
	return days.reduce((total, day) => total + day.spentPaise, 0)
}

function affected(rows: queries.AffectedUser[]) {
	return {
		count: rows[0]?.total ?? 0,
		users: rows.map(({ id, name, email }) => ({ _id: String(id), name, email })),
	}
}
