import type { Consent } from '#features/contacts/contract.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'

/**
 * Returns the id of a consent, inserting it if needed: the calls of one upload share a row. Locks the row until the
 * transaction ends.
 */
export async function ensureConsent(
	sql: Sql,
	accountId: AccountId,
	{ source, words, agreedOn }: Consent,
): Promise<number> {
	const [row] = await sql<{ id: number }[]>`
		with known as (
			select id from consents
			where account_id = ${accountId} and agreed_on = ${agreedOn}::date and source = ${source} and words = ${words}
			order by id
			limit 1
			for share
		), added as (
			insert into consents (account_id, source, words, agreed_on)
			select ${accountId}::bigint, ${source}, ${words}, ${agreedOn}::date
			where not exists (select from known)
			returning id
		)
		select id from known union all select id from added
	`
	if (!row) throw new Error('the consent was not noted')
	return row.id
}

/** Sets the consent of the contacts with these numbers. A contact with a later consent keeps its consent. */
export async function noteConsent(
	sql: Sql,
	accountId: AccountId,
	{ numbers, consentId, agreedOn }: { numbers: readonly string[]; consentId: number; agreedOn: string },
): Promise<void> {
	await sql`
		update contacts c set consent_id = ${consentId}
		where c.account_id = ${accountId} and c.number = any(${numbers}::text[]) and c.consent_id is distinct from ${consentId}
			and not exists (
				select from consents k where k.account_id = ${accountId} and k.id = c.consent_id and k.agreed_on > ${agreedOn}::date
			)
	`
}

/**
 * Deletes consents that no contact references, of the given ids or of the account when `ids` is null. Returns the
 * number of deleted rows. Two statements are needed: a transaction that assigns one of these consents holds a lock on
 * its row, and only the second statement, which waits for the lock, sees the assignment.
 */
export async function deleteUnusedConsents(
	sql: Sql,
	accountId: AccountId,
	{ ids, limit }: { ids: readonly number[] | null; limit: number },
): Promise<number> {
	const isUnused = sql`
		k.account_id = ${accountId} and not exists (
			select from contacts c where c.account_id = ${accountId} and c.consent_id = k.id
		)
	`
	const unused = await sql<{ id: number }[]>`
		select k.id from consents k
		where ${isUnused} and (${ids}::bigint[] is null or k.id = any(${ids}::bigint[]))
		order by k.id
		limit ${limit}
		for update
	`
	if (unused.length === 0) return 0
	const { count } = await sql`
		delete from consents k where ${isUnused} and k.id = any(${unused.map(({ id }) => id)}::bigint[])
	`
	return count
}
