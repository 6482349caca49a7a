import type { AccountId, Db } from '#lib/server/db.ts'
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

/** Creates an account with contacts and money whose portfolio may reach `limit` people a day. */
export async function limitedShop(
	product: Product,
	{ contacts, limit, portfolio }: { contacts: number; limit: number; portfolio?: string },
) {
	const sender = await sendingAccount(product, { contacts })
	await setLimit(product.db, sender.accountId, { limit, ...(portfolio !== undefined && { portfolio }) })
	return sender
}

/** Moves the clock of the limits on: what was counted, and the waits, lie this many hours further back. */
export async function passHours(db: Db, hours: number): Promise<void> {
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
