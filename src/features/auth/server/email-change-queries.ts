import type { AccountId, Sql } from '#lib/server/db.ts'
import type { EmailChangeOutcome } from '../contract.ts'
import { provedEmail, signsInWith } from './queries.ts'

export interface Addresses {
	userId: number
	accountId: AccountId
	email: string
	/** The address before an unproved change; null when the current address is proved. */
	provedEmail: string | null
	/** Time of the first change since the address was proved; null when it is proved. */
	unprovedSince: Date | null
}

/** Returns a user's addresses and locks the user's row until the transaction ends; undefined for a deleted user. */
export async function lockAddresses(sql: Sql, userId: number): Promise<Addresses | undefined> {
	const [row] = await sql<Addresses[]>`
		select u.id as "userId", u.account_id as "accountId", u.email, ${provedEmail(sql)} as "provedEmail",
			${unprovedSince(sql)} as "unprovedSince"
		from users u
		where u.id = ${userId} and u.deleted_at is null
		for update
	`
	return row
}

/**
 * Returns SQL for the time of the first unproved change; null when the current address is proved. For a change that an
 * earlier release stored without a time, this is the end of the objection period less its seven days.
 */
const unprovedSince = (sql: Sql) => sql`
	case when u.email_unproved_until > now() and u.proved_email is not null
		then coalesce(u.email_changed_at, u.email_unproved_until - interval '7 days') end
`

/** Returns true when a user other than `except` signs in with this address. Call it under `lockUsers`. */
export async function isTaken(sql: Sql, email: string, except: number | null): Promise<boolean> {
	const rows = await sql`
		select 1 from users u where ${signsInWith(sql, email)} and u.id is distinct from ${except}::bigint limit 1
	`
	return rows.length > 0
}

/** Sets the address. `provedEmail` can also sign in for `days` more days. */
export async function setUnprovedEmail(
	sql: Sql,
	userId: number,
	{ email, provedEmail: kept, since, days }: { email: string; provedEmail: string; since: Date; days: number },
): Promise<void> {
	await sql`
		update users
		set email = ${email}, proved_email = ${kept}, email_changed_at = ${since}, email_unproved_until = now() + make_interval(days => ${days})
		where id = ${userId}
	`
}

/** Sets the user's only address, which counts as proved. */
export async function setProvedEmail(sql: Sql, userId: number, email: string): Promise<void> {
	await sql`
		update users set email = ${email}, proved_email = null, email_unproved_until = null, email_changed_at = null
		where id = ${userId}
	`
}

/** Changes only the letter case of the address. */
export async function respellEmail(sql: Sql, userId: number, email: string): Promise<void> {
	await sql`update users set email = ${email} where id = ${userId}`
}

export async function insertEmailLink(
	sql: Sql,
	link: { tokenHash: Buffer; userId: number; newEmail: string },
): Promise<void> {
	await sql`
		insert into email_changes (token_hash, user_id, new_email) values (${link.tokenHash}, ${link.userId}, ${link.newEmail})
	`
}

export interface EmailLink {
	userId: number
	accountId: AccountId
	newEmail: string
	unprovedSince: Date | null
	/**
	 * True while an unproved change of the user's address can be agreed to or undone, whatever the link's `outcome` is.
	 */
	isPending: boolean
	outcome: EmailChangeOutcome | null
}

/** Returns a mailed link; undefined when it does not exist or its user is deleted. */
export async function findEmailLink(sql: Sql, tokenHash: Buffer): Promise<EmailLink | undefined> {
	const [row] = await sql<EmailLink[]>`
		select c.user_id as "userId", u.account_id as "accountId", c.new_email as "newEmail", c.outcome,
			${unprovedSince(sql)} as "unprovedSince",
			u.proved_email is not null and u.email_unproved_until > now() as "isPending"
		from email_changes c
		join users u on u.id = c.user_id
		where c.token_hash = ${tokenHash} and u.deleted_at is null
	`
	return row
}

/**
 * Stores the outcome of a change on the user's open links. With `agreed`, links about another address get the outcome
 * `replaced`.
 */
export async function closeEmailLinks(
	sql: Sql,
	userId: number,
	{ outcome, agreed }: { outcome: EmailChangeOutcome; agreed?: string },
): Promise<void> {
	const open = await sql`select 1 from email_changes where user_id = ${userId} and outcome is null limit 1`
	if (open.length === 0) return
	await sql`
		update email_changes
		set outcome = case when ${agreed ?? null}::text is null or lower(new_email) = lower(${agreed ?? null}::text)
			then ${outcome}::text else 'replaced' end
		where user_id = ${userId} and outcome is null
	`
}
