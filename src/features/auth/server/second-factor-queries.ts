import type { AccountId, Sql } from '#lib/server/db.ts'

export interface SecondFactor {
	userId: number
	accountId: AccountId
	/** The secret, encrypted for the account. */
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

/**
 * Stores a secret that is confirmed by its first code, and replaces an earlier unconfirmed one. Returns false when the user has
 * a confirmed factor.
 */
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

/**
 * Marks a code's time step as used. Returns false when this step or a later one is used already; of concurrent callers, one
 * gets true.
 */
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

/** Deletes the factor and its recovery codes. Returns false when no confirmed factor existed. */
export async function deleteSecondFactor(sql: Sql, userId: number): Promise<boolean> {
	await sql`delete from recovery_codes where user_id = ${userId}`
	const [row] = await sql<{ isConfirmed: boolean }[]>`
		delete from second_factors where user_id = ${userId} returning confirmed_at is not null as "isConfirmed"
	`
	return row?.isConfirmed ?? false
}

const BATCH_SIZE = 500

/** Returns the next batch of secrets of all accounts, in the order of user ids after `after`. */
export async function listSecondFactors(sql: Sql, after: number): Promise<SecondFactor[]> {
	return sql<SecondFactor[]>`
		${stored(sql)} where f.user_id > ${after} order by f.user_id limit ${BATCH_SIZE}
	`
}

/** Replaces a secret with its re-encrypted form, unless it was changed in the meantime. */
export async function updateSecret(
	sql: Sql,
	userId: number,
	{ before, after }: { before: Buffer; after: Buffer },
): Promise<void> {
	await sql`update second_factors set secret = ${after} where user_id = ${userId} and secret = ${before}`
}
