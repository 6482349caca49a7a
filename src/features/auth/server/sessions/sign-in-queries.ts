import type { SignInOutcome } from '#features/auth/contract.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'

export interface NewSignIn {
	outcome: SignInOutcome
	userAgent: string
	ip: string
}

export async function insertSignIn(
	sql: Sql,
	accountId: AccountId,
	{ outcome, userAgent, ip }: NewSignIn,
): Promise<void> {
	await sql`
		insert into sign_ins (account_id, outcome, user_agent, ip)
		values (${accountId}, ${outcome}, ${userAgent.slice(0, 300)}, ${ip})
	`
}

/** Counts the failed attempts of the last day. */
export async function countFailedSignIns(sql: Sql, accountId: AccountId): Promise<number> {
	const [row] = await sql<{ failed: number }[]>`
		select count(*) as failed from sign_ins
		where account_id = ${accountId} and outcome <> 'signed-in' and signed_in_at > now() - interval '1 day'
	`
	return row?.failed ?? 0
}

export interface SignInRow extends Omit<NewSignIn, 'ip'> {
	id: number
	ip: string | null
	at: Date
}

/** Returns the successful or the failed sign-ins of the last `days`, newest first. */
export async function listSignIns(
	sql: Sql,
	accountId: AccountId,
	wanted: { hasFailed: boolean; days: number; limit: number },
): Promise<SignInRow[]> {
	return sql<SignInRow[]>`
		select id, outcome, user_agent as "userAgent", host(ip) as ip, signed_in_at as at
		from sign_ins
		where account_id = ${accountId} and (outcome <> 'signed-in') = ${wanted.hasFailed}
			and signed_in_at > now() - make_interval(days => ${wanted.days})
		order by signed_in_at desc, id desc
		limit ${wanted.limit}
	`
}
