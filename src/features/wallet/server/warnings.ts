import { notificationOf } from '#features/notifications/server/kinds.ts'
import { statementPaths } from '#features/statements/paths.ts'
import { decimal, formatRupees, rupeesFromPaise } from '#lib/money.ts'
import { transaction, type Db, type OwnerId } from '#lib/server/db.ts'
import { scanAllOwners } from '#lib/server/db/all-accounts.ts'
import { subscribe } from '#lib/server/db/channels.ts'
import type { Listener } from '#lib/server/db/listener.ts'
import type { Notify } from '#lib/server/db/notify.ts'
import { addJobs, handlerOf, jobKind } from '#lib/server/jobs/jobs.ts'
import { recordEvents } from '#lib/server/jobs/outgoing-events.ts'
import type { Log } from '#lib/server/log.ts'
import type { Mailer } from '#lib/server/mail.ts'
import { lowBalanceChannel, takeLowWarning } from './ledger.ts'
import { findPayer, listLowAllOwners } from './queries.ts'

/** The recipient is looked up when the mail is sent, as the name or address may have changed. */
const lowBalanceMailJob = jobKind<{ owner: OwnerId; availablePaise: number; lowBalancePaise: number }>(
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
 * Warns owners whose balance has fallen below their limit, by notification and mail, once per fall. The ledger
 * publishes each fall; those whose notification was lost are found by a scan.
 */
export async function startBalanceWarnings(context: WarningContext): Promise<() => Promise<void>> {
	const { db, log } = context
	const warnAll = async (owners: OwnerId[]) => {
		for (const owner of owners) await warn(context, owner)
	}
	let running: Promise<unknown> = Promise.resolve()
	const enqueue = (find: () => Promise<OwnerId[]>) => {
		running = running
			.then(find)
			.then(warnAll)
			.catch((error: unknown) => log.error({ error }, 'a warning of a low balance was not given'))
	}
	const unlisten = await subscribe(context.listener, lowBalanceChannel, {
		onPayload: (owner) => enqueue(async () => [owner]),
		onGap: () => enqueue(() => scanAllOwners(db, (one) => listLowAllOwners(db, one))),
	})
	return async () => {
		unlisten()
		await running
	}
}

/** Gives all warnings that are due: a fall whose notification was lost is found here. */
export async function warnLowBalances(context: WarningContext): Promise<void> {
	for (const owner of await scanAllOwners(context.db, (one) => listLowAllOwners(context.db, one))) {
		await warn(context, owner).catch((error: unknown) =>
			context.log.error({ error, owner }, 'a warning of a low balance was not given'),
		)
	}
}

/** Gives the warning that is due; several processes may try, and one does. */
async function warn({ db, notify }: WarningContext, owner: OwnerId): Promise<void> {
	await transaction(db, async (sql) => {
		const low = await takeLowWarning(sql, owner)
		if (!low) return
		const { availablePaise, lowBalancePaise } = low
		await notify(sql, owner, notificationOf.lowBalance({ availablePaise }))
		const data = { available: { paise: availablePaise, rupees: decimal(availablePaise) } }
		await recordEvents(sql, owner, [{ type: 'wallet.low', at: new Date(), data }])
		await addJobs(sql, lowBalanceMailJob, [{ owner, availablePaise, lowBalancePaise }])
	})
}

/** What sends the mails of this feature. */
export const balanceMails = (context: MailContext) => [
	handlerOf(lowBalanceMailJob, ({ data }) => sendMail(context, data)),
]

async function sendMail(
	{ db, mailer, env }: MailContext,
	{ owner, availablePaise, lowBalancePaise }: { owner: OwnerId; availablePaise: number; lowBalancePaise: number },
): Promise<void> {
	const payer = await findPayer(db, owner)
	if (!payer) return
	await mailer.send({
		to: payer.email,
		subject: 'Your wallet balance is low',
		text: [
			`Your WhatsApp Bulk Message wallet has ${formatRupees(rupeesFromPaise(availablePaise))} left to spend. You asked for this warning below ${formatRupees(rupeesFromPaise(lowBalancePaise))}.`,
			'Campaigns that cost more than that cannot be created until your wallet is recharged. Those that are already paid for go out as planned.',
			`Your statement, and where to change this limit: ${env.PUBLIC_URL.replace(/\/$/, '')}${statementPaths.own}`,
			'',
		].join('\n\n'),
	})
}
