import { findActiveUser } from '#features/auth/server/queries.ts'
import { recordEvents } from '#features/events/server/service.ts'
import { notificationOf } from '#features/notifications/server/kinds.ts'
import { statementPaths } from '#features/statements/paths.ts'
import { decimal, formatRupees, rupeesFromPaise } from '#lib/money.ts'
import { transaction, type Db, type AccountId } from '#lib/server/db.ts'
import { scanAllAccounts } from '#lib/server/db/all-accounts.ts'
import { subscribe } from '#lib/server/db/channels/channels.ts'
import type { Listener } from '#lib/server/db/channels/listener.ts'
import type { Notify } from '#lib/server/db/channels/notify.ts'
import { addJobs, handlerOf, jobKind } from '#lib/server/jobs/jobs.ts'
import type { Log } from '#lib/server/log.ts'
import type { Mailer } from '#lib/server/mail.ts'
import { lowBalanceChannel, takeLowWarning } from './ledger.ts'
import { listLowAllAccounts } from './queries.ts'

/** Sends the warning by mail. The handler looks up the recipient, since name and address may change before it runs. */
const lowBalanceMailJob = jobKind<{ accountId: AccountId; availablePaise: number; lowBalancePaise: number }>(
	'low-balance-mail',
)

interface MailContext {
	db: Db
	mailer: Mailer
	env: { PUBLIC_URL: string }
}

export interface WarningContext {
	db: Db
	listener: Listener
	log: Log
	notify: Notify
}

/**
 * Warns users whose balance fell below their limit by notification and mail, once per fall. The ledger publishes each
 * fall; `warnLowBalances` finds falls whose message was lost. Returns the function that stops it.
 */
export async function startBalanceWarnings(context: WarningContext): Promise<() => Promise<void>> {
	const { db, log } = context
	const warnAll = async (accountIds: AccountId[]) => {
		for (const accountId of accountIds) await warn(context, accountId)
	}
	let running: Promise<unknown> = Promise.resolve()
	const enqueue = (find: () => Promise<AccountId[]>) => {
		running = running
			.then(find)
			.then(warnAll)
			.catch((error: unknown) => log.error({ error }, 'a warning of a low balance was not given'))
	}
	const unlisten = await subscribe(context.listener, lowBalanceChannel, {
		onPayload: (accountId) => enqueue(async () => [accountId]),
		onGap: () => enqueue(() => scanAllAccounts(db, (one) => listLowAllAccounts(db, one))),
	})
	return async () => {
		unlisten()
		await running
	}
}

/** Sends all due warnings, including warnings of falls whose message was lost. */
export async function warnLowBalances(context: WarningContext): Promise<void> {
	for (const accountId of await scanAllAccounts(context.db, (one) => listLowAllAccounts(context.db, one))) {
		await warn(context, accountId).catch((error: unknown) =>
			context.log.error({ error, accountId }, 'a warning of a low balance was not given'),
		)
	}
}

/** Sends a due warning. When several processes try, one succeeds. */
async function warn({ db, notify }: WarningContext, accountId: AccountId): Promise<void> {
	await transaction(db, async (sql) => {
		const low = await takeLowWarning(sql, accountId)
		if (!low) return
		const { availablePaise, lowBalancePaise } = low
		await notify(sql, accountId, notificationOf.lowBalance({ availablePaise }))
		const data = { available: { paise: availablePaise, rupees: decimal(availablePaise) } }
		await recordEvents(sql, accountId, [{ type: 'wallet.low', at: new Date(), data }])
		await addJobs(sql, lowBalanceMailJob, [{ accountId, availablePaise, lowBalancePaise }])
	})
}

/** Returns the handlers of this feature's mail jobs. */
export const balanceMails = (context: MailContext) => [
	handlerOf(lowBalanceMailJob, ({ data }) => sendMail(context, data)),
]

async function sendMail(
	{ db, mailer, env }: MailContext,
	{
		accountId,
		availablePaise,
		lowBalancePaise,
	}: { accountId: AccountId; availablePaise: number; lowBalancePaise: number },
): Promise<void> {
	const user = await findActiveUser(db, accountId)
	if (!user) return
	await mailer.send({
		to: user.email,
		subject: 'Your wallet balance is low',
		text: [
			`Your WhatsApp Bulk Message wallet has ${formatRupees(rupeesFromPaise(availablePaise))} left to spend. You asked for this warning below ${formatRupees(rupeesFromPaise(lowBalancePaise))}.`,
			'Campaigns that cost more than that cannot be created until your wallet is recharged. Those that are already paid for go out as planned.',
			`Your statement, and where to change this limit: ${env.PUBLIC_URL.replace(/\/$/, '')}${statementPaths.own}`,
			'',
		].join('\n\n'),
	})
}
