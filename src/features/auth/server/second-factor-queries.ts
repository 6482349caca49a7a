import type { AccountId, Sql } from '#lib/server/db.ts'

export interface SecondFactor {
	userId: number
	accountId: AccountId
	/** Sealed for the account. */
	secret: Buffer
	isConfirmed: boolean
}

const stored = (sql: Sql) => sql`
	select f.user_id as "userId", u.account_id as "accountId", f.secret, f.confirmed_at is not null as "isConfirmed"
	from second_factors f
	join users u on u.id = f.user_id
`

export async function findSecondFactor(sql: Sql, userId: number): Promise<SecondFactor | undefined> {
	const [row] = await sql<SecondFactor[]>`
		${stored(sql)} where f.user_id = ${userId}
	`
	return row
}

/** That user `u` has a second factor. */
export const hasSecondFactor = (sql: Sql) => sql`
	exists (select 1 from second_factors f where f.user_id = u.id and f.confirmed_at is not null)
`

/** Stores a secret that waits for its first code, in place of another that does; false where one is confirmed. */
export async function offerSecondFactor(sql: Sql, userId: number, secret: Buffer): Promise<boolean> {
	const { count } = await sql`
		insert into second_factors as f (user_id, secret) values (${userId}, ${secret})
		on conflict (user_id) do update set secret = excluded.secret, last_step = 0 where f.confirmed_at is null
	`
	return count > 0
}

export async function confirmSecondFactor(sql: Sql, userId: number): Promise<boolean> {
	const { count } = await sql`
		update second_factors set confirmed_at = now() where user_id = ${userId} and confirmed_at is null
	`
	return count > 0
}

/** Takes the code of this step, unless it or a later one was taken before. Of several at once, one gets true. */
export async function takeStep(sql: Sql, userId: number, step: number): Promise<boolean> {
	const { count } = await sql`
		update second_factors set last_step = ${step} where user_id = ${userId} and last_step < ${step}
	`
	return count > 0
}

export async function takeRecoveryCode(sql: Sql, userId: number, codeHash: Buffer): Promise<boolean> {
	const { count } = await sql`delete from recovery_codes where user_id = ${userId} and code_hash = ${codeHash}`
	return count > 0
}

export async function countRecoveryCodes(sql: Sql, userId: number): Promise<number> {
	const [row] = await sql<{ left: number }[]>`select count(*) as left from recovery_codes where user_id = ${userId}`
	return row?.left ?? 0
}

export async function insertRecoveryCodes(sql: Sql, userId: number, codeHashes: Buffer[]): Promise<void> {
	for (const codeHash of codeHashes) {
		await sql`insert into recovery_codes (user_id, code_hash) values (${userId}, ${codeHash})`
	}
}

/** Removes the factor with its recovery codes; false where there was none that is confirmed. */
export async function deleteSecondFactor(sql: Sql, userId: number): Promise<boolean> {
	await sql`delete from recovery_codes where user_id = ${userId}`
	const [row] = await sql<{ isConfirmed: boolean }[]>`
		delete from second_factors where user_id = ${userId} returning confirmed_at is not null as "isConfirmed"
	`
	return row?.isConfirmed ?? false
}

const BATCH_SIZE = 500

/** The next secrets of all accounts, by their users' ids. */
export async function listSecondFactors(sql: Sql, after: number): Promise<SecondFactor[]> {
	return sql<SecondFactor[]>`
		${stored(sql)} where f.user_id > ${after} order by f.user_id limit ${BATCH_SIZE}
	`
}

/** Replaces a secret by itself, sealed anew; one that was changed meanwhile stays. */
export async function updateSecret(
	sql: Sql,
	userId: number,
	{ before, after }: { before: Buffer; after: Buffer },
): Promise<void> {
	await sql`update second_factors set secret = ${after} where user_id = ${userId} and secret = ${before}`
}
