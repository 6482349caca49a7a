import type { AccountId, Sql } from '#lib/server/db.ts'

/**
 * Returns the account's encrypted erasure key, undefined without one; `isUsed` is true once a person was erased with
 * the key.
 */
export async function findKey(
	sql: Sql,
	accountId: AccountId,
): Promise<{ encrypted: Buffer; isUsed: boolean } | undefined> {
	const [row] = await sql<{ encrypted: Buffer; isUsed: boolean }[]>`
		select key_sealed as encrypted, erased_at is not null as "isUsed" from erasure_keys where account_id = ${accountId}
	`
	return row
}

/** Stores the key unless the account has one, and returns the stored key. */
export async function ensureKey(sql: Sql, accountId: AccountId, encrypted: Buffer): Promise<Buffer> {
	await sql`
		insert into erasure_keys (account_id, key_sealed) values (${accountId}, ${encrypted}) on conflict (account_id) do nothing
	`
	return (await findKey(sql, accountId))?.encrypted ?? encrypted
}

/** Records the time of an erasure. For some minutes afterwards, claims check orders for erased people. */
export async function markKeyUsed(sql: Sql, accountId: AccountId): Promise<void> {
	await sql`update erasure_keys set erased_at = now() where account_id = ${accountId}`
}

export interface EncryptedKey {
	accountId: AccountId
	encrypted: Buffer
}

export async function listKeysAllAccounts(sql: Sql, after: number): Promise<EncryptedKey[]> {
	return sql<EncryptedKey[]>`
		select account_id as "accountId", key_sealed as encrypted from erasure_keys where account_id > ${after} order by account_id limit 500
	`
}

export async function updateKey(
	sql: Sql,
	accountId: AccountId,
	{ before, after }: { before: Buffer; after: Buffer },
): Promise<void> {
	await sql`update erasure_keys set key_sealed = ${after} where account_id = ${accountId} and key_sealed = ${before}`
}

export async function listOptedOutForms(sql: Sql, accountId: AccountId, forms: string[]): Promise<string[]> {
	const rows = await sql<{ number: string }[]>`
		select number from opt_outs where account_id = ${accountId} and number = any(${forms}::text[]) and is_opted_out
	`
	return rows.map(({ number }) => number)
}

export interface Renamed {
	from: string
	to: string
}

/**
 * Renames numbers in opt-outs and their history. When both names have an opt-out row, the row of `to` is kept and opted
 * out if either was. Returns the number of renamed history rows.
 */
export async function renameOptOuts(sql: Sql, accountId: AccountId, renamed: readonly Renamed[]): Promise<number> {
	const pairs = sql`unnest(${renamed.map(({ from }) => from)}::text[], ${renamed.map(({ to }) => to)}::text[]) as n (old, new)`
	await sql`
		insert into opt_outs as o (account_id, number, is_opted_out, because, changed_at, said_at)
		select ${accountId}::bigint, n.new, k.is_opted_out, k.because, k.changed_at, k.said_at
		from ${pairs} join opt_outs k on k.account_id = ${accountId} and k.number = n.old
		on conflict (account_id, number) do update set is_opted_out = true
			where excluded.is_opted_out and not o.is_opted_out
	`
	await sql`delete from opt_outs o using ${pairs} where o.account_id = ${accountId} and o.number = n.old`
	const { count } = await sql`
		update opt_out_changes c set number = n.new from ${pairs} where c.account_id = ${accountId} and c.number = n.old
	`
	return count
}

/** Opts erased forms out from now on; existing opt-outs remain unchanged. */
export async function insertErased(sql: Sql, accountId: AccountId, forms: readonly string[]): Promise<void> {
	await sql`
		insert into opt_outs as o (account_id, number, is_opted_out, because, changed_at, said_at)
		select ${accountId}::bigint, n.form, true, 'manual', now(), now() from unnest(${forms}::text[]) as n (form)
		on conflict (account_id, number) do update set
			is_opted_out = true, because = excluded.because, changed_at = excluded.changed_at, said_at = excluded.said_at
			where not o.is_opted_out
	`
}

/** Deletes the WhatsApp ids of these numbers. */
export async function deleteWhatsappIds(sql: Sql, accountId: AccountId, numbers: readonly string[]): Promise<void> {
	await sql`
		delete from whatsapp_ids
		where account_id = ${accountId} and (number = any(${numbers}::text[]) or wa_id = any(${numbers}::text[]))
	`
}

export async function listContactsOf(
	sql: Sql,
	accountId: AccountId,
	numbers: readonly string[],
): Promise<{ id: number; consentId: number | null }[]> {
	return sql<{ id: number; consentId: number | null }[]>`
		select id, consent_id as "consentId" from contacts
		where account_id = ${accountId} and number = any(${numbers}::text[])
		order by id
	`
}
