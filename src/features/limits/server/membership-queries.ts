import type { AccountId, Sql } from '#lib/server/db.ts'
import { verbatim } from '#lib/server/statement.ts'
import { inLockOrder, isOfWaba, WABA_PREFIX } from './portfolio-keys.ts'

/** The columns of `senders` that say how many people it may reach, and under which key they are counted. */
export const LIMIT_COLUMNS = verbatim(`
	case when messaging_limit >= 0 then messaging_limit end as "perDay",
	coalesce(portfolio_id, '${WABA_PREFIX}' || waba_id) as portfolio, '${WABA_PREFIX}' || waba_id as waba
`)

export interface SenderLimit {
	/** People in 24 hours; null for a sender without a limit, or with an unknown one. */
	perDay: number | null
	/** Key of the portfolio; of the WABA while the portfolio is unknown. */
	portfolio: string
	/** Key of the WABA. */
	waba: string
}

/** Returns the limit of an account's sender, with the portfolio under which it counts; undefined without a sender. */
export async function findSenderLimit(
	sql: Sql,
	accountId: AccountId,
): Promise<(SenderLimit & { messagesPerSecond: number }) | undefined> {
	const [row] = await sql<(SenderLimit & { messagesPerSecond: number })[]>`
		select ${LIMIT_COLUMNS}, messages_per_second as "messagesPerSecond" from senders where account_id = ${accountId}
	`
	return row && { ...row, portfolio: await findCurrentAllAccounts(sql, row) }
}

/**
 * Returns the portfolio under which a sender counts: that of its WABA, which another account of the WABA may have read later,
 * or else its own.
 */
export async function findCurrentAllAccounts(
	sql: Sql,
	{ portfolio, waba }: Pick<SenderLimit, 'portfolio' | 'waba'>,
): Promise<string> {
	const current = await findMovedAllAccounts(sql, waba)
	return isOfWaba(current) ? portfolio : current
}

/** Returns the portfolio to which the people of a WABA were moved, or the given key. */
export async function findMovedAllAccounts(sql: Sql, key: string): Promise<string> {
	if (!isOfWaba(key)) return key
	const [row] = await sql<{ to: string | null }[]>`select moved_to as to from portfolios where portfolio = ${key}`
	return row?.to ?? key
}

/** A portfolio that the transaction has locked. */
export interface LockedPortfolio {
	portfolio: string
	/**
	 * The accounts of a portfolio that counts no people yet, because they may have sent messages before; null when it counts
	 * people.
	 */
	newFor: AccountId[] | null
	/** The locked keys of WABAs whose people belong to the portfolio and are still counted apart. */
	wabas: string[]
}

/**
 * Locks a portfolio until the transaction ends, and creates it when it is missing. The key of a WABA whose portfolio is known
 * locks that portfolio. Locks the WABAs whose people move there too, and the portfolio `former`, all in one order.
 */
export async function lockPortfoliosAllAccounts(
	sql: Sql,
	{ portfolio: key, waba }: Pick<SenderLimit, 'portfolio' | 'waba'>,
	former: string | null = null,
): Promise<LockedPortfolio> {
	for (;;) {
		const portfolio = await findMovedAllAccounts(sql, key)
		const isKnown = (await sql`select 1 from portfolios where portfolio = ${portfolio}`).length > 0
		const members = isKnown ? [] : await listMembersAllAccounts(sql, portfolio)
		const keys = [waba, ...members.map((one) => one.waba), portfolio, ...(former === null ? [] : [former])]
		const locked = new Set<string>()
		let isNew = false
		for (const one of inLockOrder(keys)) {
			if (one === portfolio && !isKnown) isNew = await insertPortfolio(sql, portfolio)
			if (await lockUnmoved(sql, one)) locked.add(one)
		}
		// The row may have been deleted, or moved, between the statements.
		if (!locked.has(portfolio)) continue
		const others = keys.filter((one) => isOfWaba(one) && one !== portfolio)
		return {
			portfolio,
			newFor: isNew ? members.map(({ accountId }) => accountId) : null,
			wabas: [...new Set(isNew ? others : others.filter((one) => locked.has(one)))],
		}
	}
}

/** Creates a portfolio. Returns false when another transaction has created it. */
async function insertPortfolio(sql: Sql, portfolio: string): Promise<boolean> {
	const { count } = await sql`insert into portfolios (portfolio) values (${portfolio}) on conflict do nothing`
	return count > 0
}

/** Locks a portfolio or WABA whose people are counted under this key; returns false when there is none. */
async function lockUnmoved(sql: Sql, key: string): Promise<boolean> {
	const { count } = await sql`select 1 from portfolios where portfolio = ${key} and moved_to is null for update`
	return count > 0
}

/**
 * Moves the people of a WABA to its portfolio, once it is known, for all accounts of the WABA. The caller has locked the
 * portfolio.
 */
export async function moveMessagesAllAccounts(
	sql: Sql,
	{ portfolio, waba }: Pick<SenderLimit, 'portfolio' | 'waba'>,
): Promise<void> {
	await sql`
		insert into portfolios (portfolio, moved_to) values (${waba}, ${portfolio})
		on conflict (portfolio) do update set moved_to = excluded.moved_to, people = 0
	`
	await sql`update portfolio_messages set portfolio = ${portfolio} where portfolio = ${waba}`
	await sql`update uncounted_accounts set portfolio = ${portfolio} where portfolio = ${waba}`
}

/** Returns true when messages of one of these accounts count in the portfolio, or are still to be counted there. */
export async function hasCountedAllAccounts(
	sql: Sql,
	{ portfolio, accounts }: { portfolio: string; accounts: readonly AccountId[] },
): Promise<boolean> {
	const rows = await sql`
		select 1 where exists (
			select 1 from portfolio_messages where account_id = any(${accounts}::bigint[]) and portfolio = ${portfolio}
		) or exists (
			select 1 from uncounted_accounts where account_id = any(${accounts}::bigint[]) and portfolio = ${portfolio}
		)
	`
	return rows.length > 0
}

/** Moves the messages of these accounts from one locked portfolio to another, and recounts the people of both. */
export async function changePortfolioAllAccounts(
	sql: Sql,
	{ from, to, accounts }: { from: string; to: string; accounts: readonly AccountId[] },
): Promise<void> {
	await sql`
		update portfolio_messages set portfolio = ${to} where account_id = any(${accounts}::bigint[]) and portfolio = ${from}
	`
	await sql`
		update uncounted_accounts set portfolio = ${to} where account_id = any(${accounts}::bigint[]) and portfolio = ${from}
	`
	for (const portfolio of [from, to]) await recountAllAccounts(sql, portfolio)
}

/** Lists the accounts whose senders have the WABA with this key. */
export async function listAccountsOfWabaAllAccounts(sql: Sql, waba: string): Promise<AccountId[]> {
	const rows = await sql<{ accountId: AccountId }[]>`
		select account_id as "accountId" from senders where waba_id = ${waba.slice(WABA_PREFIX.length)} order by account_id
	`
	return rows.map(({ accountId }) => accountId)
}

/** Lists the accounts whose senders belong to a portfolio, with the keys of their WABAs. */
async function listMembersAllAccounts(sql: Sql, portfolio: string): Promise<{ accountId: AccountId; waba: string }[]> {
	return sql<{ accountId: AccountId; waba: string }[]>`
		select s.account_id as "accountId", ${verbatim(`'${WABA_PREFIX}'`)} || s.waba_id as waba
		from senders s where ${isOfPortfolioAllAccounts(sql, portfolio)} order by s.account_id
	`
}

/** The condition on senders `s` of a portfolio. */
export const isOfPortfolioAllAccounts = (sql: Sql, portfolio: string) =>
	isOfWaba(portfolio)
		? sql`s.portfolio_id is null and s.waba_id = ${portfolio.slice(WABA_PREFIX.length)}`
		: sql`s.portfolio_id = ${portfolio}`

/** Recounts the people of a locked portfolio. */
export async function recountAllAccounts(sql: Sql, portfolio: string): Promise<void> {
	await sql`
		update portfolios set people = (select count(distinct person) from portfolio_messages where portfolio = ${portfolio})
		where portfolio = ${portfolio}
	`
}
