import type { AccountId, Sql } from '#lib/server/db.ts'

/** A position in the messages of an account: everything up to `seq` of the campaign, and in campaigns before it. */
export interface Position {
	campaignId: number
	seq: number
}

/** An account whose messages after a position are still to be counted. */
export interface UncountedAccount {
	accountId: AccountId
	after: Position
}

/** Records that all messages of the last day of these accounts are to be counted in a portfolio. */
export async function insertUncountedAllAccounts(
	sql: Sql,
	{ portfolio, accounts }: { portfolio: string; accounts: readonly AccountId[] },
): Promise<void> {
	await sql`
		insert into uncounted_accounts (account_id, portfolio)
		select a, ${portfolio} from unnest(${accounts}::bigint[]) as a
		on conflict (account_id) do update set portfolio = excluded.portfolio, campaign_id = 0, seq = 0
	`
}

/** Returns the first account of a locked portfolio whose messages are still to be counted. */
export async function findUncountedAllAccounts(sql: Sql, portfolio: string): Promise<UncountedAccount | undefined> {
	const [row] = await sql<(Position & { accountId: AccountId })[]>`
		select account_id as "accountId", campaign_id as "campaignId", seq from uncounted_accounts
		where portfolio = ${portfolio} order by account_id limit 1
	`
	return row && { accountId: row.accountId, after: { campaignId: row.campaignId, seq: row.seq } }
}

/** Records how far the messages of an account are counted; null when all of them are. */
export async function updateUncounted(sql: Sql, accountId: AccountId, through: Position | null): Promise<void> {
	if (through === null) await sql`delete from uncounted_accounts where account_id = ${accountId}`
	else
		await sql`
			update uncounted_accounts set campaign_id = ${through.campaignId}, seq = ${through.seq} where account_id = ${accountId}
		`
}

/** A message that was sent before it could be counted. `person` is a hash, as text. */
export interface EarlierMessage extends Position {
	person: string
	at: Date
}

/** Counts earlier messages in a locked portfolio, except those that are counted already. */
export async function insertEarlier(
	sql: Sql,
	accountId: AccountId,
	{ portfolio, messages }: { portfolio: string; messages: readonly EarlierMessage[] },
): Promise<void> {
	if (messages.length === 0) return
	await sql`
		with added as (
			insert into portfolio_messages (account_id, campaign_id, seq, portfolio, person, counted_at)
			select ${accountId}::bigint, n.campaign_id, n.seq, ${portfolio}, n.person, n.at
			from unnest(
				${messages.map((m) => m.campaignId)}::bigint[], ${messages.map((m) => m.seq)}::integer[],
				${messages.map((m) => m.person)}::bigint[], ${messages.map((m) => m.at)}::timestamptz[]
			) as n (campaign_id, seq, person, at)
			on conflict do nothing
			returning person
		), new as (
			select count(distinct a.person)::int as people from added a
			where not exists (select 1 from portfolio_messages m where m.portfolio = ${portfolio} and m.person = a.person)
		)
		update portfolios p set people = p.people + n.people from new n where p.portfolio = ${portfolio}
	`
}
