import { billingProblems } from '#features/whatsapp/rules.ts'
import { formatRupees, rupeesFromPaise } from '#lib/money.ts'
import { formatCount, plural } from '#lib/numbers.ts'
import type { Db } from '#lib/server/db.ts'
import * as queries from './admin-queries.ts'
import { sumDays } from './day-totals.ts'
import { daysOf, listMargins, totalOf } from './margins.ts'
import { listDaysAllAccounts } from './queries.ts'
import { listSetUpsAllAccounts } from './set-up-queries.ts'

/** Number of affected users that the stats list by name. */
const NAMED = 5

/** Returns the admin dashboard's stats over all accounts. */
export async function getAdminStats(db: Db) {
	const [accounts, days, money, problems, withoutSender, withoutMoney, margin] = await Promise.all([
		queries.countAccountsAllAccounts(db),
		listDaysAllAccounts(db),
		queries.sumMoneyAllAccounts(db),
		findProblems(db),
		queries.listUsersWithoutSenderAllAccounts(db, NAMED),
		queries.listUsersWithoutMoneyAllAccounts(db, NAMED),
		getMonthMargin(db),
	])
	const [today, month] = [sumDays(days.slice(-1)), sumDays(days)]
	return {
		accounts,
		messages: {
			today: today.messages,
			month: month.messages,
			days,
		},
		money: {
			balance: rupeesFromPaise(money.availablePaise),
			onHold: rupeesFromPaise(money.heldPaise),
			spentToday: rupeesFromPaise(today.spentPaise),
			spentMonth: rupeesFromPaise(month.spentPaise),
		},
		margin,
		...problems,
		withoutCredentials: affected(withoutSender),
		withoutMoney: affected(withoutMoney),
	}
}

async function getMonthMargin(db: Db) {
	const { month, ...days } = daysOf()
	const { revenue, cost, margin, unrated } = totalOf(await listMargins(db, days))
	return { month, revenue, cost, margin, unrated }
}

/** Returns the set-up of these users; admins, deleted users and unknown ids are omitted. */
export async function listSetUps(
	db: Db,
	userIds: number[],
	defaults: { marketingPaise: number | null; utilityPaise: number | null },
) {
	const rows = await listSetUpsAllAccounts(db, userIds)
	return rows.map(
		({ id, hasKey, keyProblem, displayPhoneNumber, balancePaise, marketingPaise, utilityPaise, ...row }) => ({
			_id: id,
			...row,
			key: !hasKey ? ('missing' as const) : keyProblem === null ? ('works' as const) : ('problem' as const),
			keyProblem,
			phoneNumber: displayPhoneNumber,
			balance: rupeesFromPaise(balancePaise),
			marketingPrice: rupeesFromPaise(marketingPaise),
			utilityPrice: rupeesFromPaise(utilityPaise),
			hasDefaultPrices: marketingPaise === defaults.marketingPaise && utilityPaise === defaults.utilityPaise,
			canPay: balancePaise > 0 && balancePaise >= Math.min(marketingPaise, utilityPaise),
		}),
	)
}

/**
 * Returns up to NAMED problems in this order: stopped senders, senders that wait for WhatsApp, senders without status
 * updates, senders that Meta will not deliver for, waiting refunds, unusual refunds.
 */
async function findProblems(db: Db) {
	const billed = await listBillingProblems(db)
	const billing = billed.slice(0, NAMED).map((sender) => ({ ...sender, total: billed.length }))
	const lists = await Promise.all([
		queries.listStoppedSendersAllAccounts(db, NAMED),
		queries.listWaitingSendersAllAccounts(db, NAMED),
		queries.listSilentSendersAllAccounts(db, NAMED),
		queries.listWaitingRefundsAllAccounts(db, NAMED),
		queries.listUnusualRefundsAllAccounts(db, NAMED),
	])
	const [stopped, waiting, silent, unchecked, refunds] = lists
	const problems = [
		...stopped.map((sender) => ({ ...sender, kind: 'stopped' as const })),
		...waiting.map((sender) => ({ ...sender, kind: 'waiting' as const, reason: describeCause(sender), since: null })),
		...silent.map((sender) => ({ ...sender, kind: 'no-reports' as const, reason: NO_REPORTS })),
		...billing.map((sender) => ({ ...sender, kind: 'billing' as const, since: null })),
		...unchecked.map((user) => ({ ...user, kind: 'refunds-waiting' as const, reason: describeWaiting(user) })),
		...refunds.map((user) => ({ ...user, kind: 'refunds' as const, reason: describeRefunds(user), since: null })),
	]
	return {
		problems: problems.slice(0, NAMED).map(({ id, ...problem }) => ({ ...problem, _id: id })),
		problemCount: lists.reduce((count, list) => count + (list[0]?.total ?? 0), billed.length),
		affectedCount: await queries.countUsersNeedingAttentionAllAccounts(
			db,
			billed.map(({ id }) => id),
		),
	}
}

const NO_REPORTS =
	'Messages are sent, but no status reports arrive from WhatsApp. Check the webhook and the app in the Meta developer portal.'

/** Maximum number of senders whose billing problems are examined. */
const EXAMINED = 10_000

/** Returns the senders that Meta will not deliver for because of their billing. */
async function listBillingProblems(db: Db) {
	const doubtful = await queries.listDoubtfullyBilledAllAccounts(db, EXAMINED)
	return doubtful.flatMap((sender) => {
		const [problem] = billingProblems(sender, sender.displayPhoneNumber)
		const { id, name, email } = sender
		return problem ? [{ id, name, email, reason: problem.admin }] : []
	})
}

function describeCause({ reason }: { reason: string }): string {
	return `Sending continues when WhatsApp answers again. Cause: ${reason}`
}

function describeWaiting({ messages, paise }: queries.WaitingRefunds): string {
	const amount = formatRupees(rupeesFromPaise(paise))
	return `${amount} for ${plural(messages, 'message', 'messages')} is above the usual measure and waits for your check.`
}

function describeRefunds({ refunded, charged }: queries.UnusualRefunds): string {
	const [back, paid] = [refunded, charged].map(formatCount)
	return `${back} messages were refunded in the last 7 days, and ${paid} charged. Check whether they really failed, or were free.`
}

function affected(rows: queries.AffectedUser[]) {
	return {
		count: rows[0]?.total ?? 0,
		users: rows.map(({ id, name, email }) => ({ _id: id, name, email })),
	}
}
