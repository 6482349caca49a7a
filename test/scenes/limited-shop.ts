import assert from 'node:assert/strict'
import { campaignReads } from '#features/delivery/server/limits/campaign-reads.ts'
import { LIMIT_COLUMNS, openPlaces, type OpenPlaces, type SenderLimit } from '#features/limits/server/service.ts'
import { transaction, type AccountId, type Db, type Sql } from '#lib/server/db.ts'
import { sendingAccount, type Product } from '../full-stack.ts'

/** Sets the limit of an account's number as if WhatsApp had reported it. */
export async function setLimit(
	db: Db,
	accountId: AccountId,
	{ limit, portfolio = `portfolio-${accountId}` }: { limit: number | null; portfolio?: string | null },
): Promise<void> {
	await db`
		update senders set messaging_limit = ${limit}, portfolio_id = ${portfolio}, limits_read_at = now()
		where account_id = ${accountId}
	`
}

/** Creates an account with contacts and money whose portfolio may reach `limit` people a day. The network refuses more. */
export async function limitedShop(
	product: Product,
	{ contacts, limit, portfolio: given }: { contacts: number; limit: number; portfolio?: string },
) {
	const sender = await sendingAccount(product, { contacts, balancePaise: contacts * 500 })
	const { accountId, credentials } = sender
	const portfolio = given ?? `portfolio-${accountId}`
	const { control } = product.simulator
	await control.setPortfolio({ waba_id: credentials.waba_id, portfolio_id: portfolio })
	await control.enforceLimit({ waba_id: credentials.waba_id, people: limit })
	await setLimit(product.db, accountId, { limit, portfolio })
	return sender
}

/** Moves counted messages and waits this many hours into the past, in the network too, as if the time had passed. */
export async function passHours({ db, simulator }: Pick<Product, 'db' | 'simulator'>, hours: number): Promise<void> {
	await simulator.control.passHours({ hours })
	const age = `${hours} hours`
	await db`update portfolio_messages set counted_at = counted_at - ${age}::interval`
	await db`
		update campaigns set limit_waits_until = (limit_waits_until at time zone 'UTC' - ${age}::interval) at time zone 'UTC',
			limit_looked_at = (limit_looked_at at time zone 'UTC' - ${age}::interval) at time zone 'UTC'
		where limit_waits_until is not null
	`
}

/** Returns how many different people a portfolio counts by its messages, and by its own number. */
export async function countedPeople(db: Db, portfolio: string): Promise<{ people: number; counted: number }> {
	const [row] = await db<{ people: number; counted: number }[]>`
		select coalesce((select people from portfolios where portfolio = ${portfolio}), 0)::int as counted,
			(select count(distinct person) from portfolio_messages where portfolio = ${portfolio})::int as people
	`
	return row ?? { people: 0, counted: 0 }
}

/**
 * Opens the places of an account as a claim does, and runs `take` with them. Repeats the transaction until all earlier
 * messages are counted; `take` runs in the last transaction.
 */
export async function withPlaces<T>(
	db: Db,
	accountId: AccountId,
	take: (sql: Sql, places: OpenPlaces) => Promise<T>,
): Promise<T> {
	for (;;) {
		const done = await transaction(db, async (sql) => {
			const [sender] = await sql<SenderLimit[]>`select ${LIMIT_COLUMNS} from senders where account_id = ${accountId}`
			assert.ok(sender && sender.perDay !== null)
			const places = await openPlaces(sql, accountId, { ...sender, perDay: sender.perDay, reads: campaignReads })
			return places && { result: await take(sql, places) }
		})
		if (done) return done.result
	}
}
