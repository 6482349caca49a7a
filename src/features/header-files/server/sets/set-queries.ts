import { MAX_FILES, type FileKind } from '#features/header-files/rules.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import type { OldRows } from '#lib/server/db/all-accounts.ts'

export interface FileSet {
	id: number
	kind: FileKind
	createdAt: Date
	files: number
	bytes: number
}

export async function insertSet(sql: Sql, accountId: AccountId, kind: FileKind): Promise<number> {
	const [row] = await sql<{ id: number }[]>`
		insert into header_file_sets (account_id, kind) values (${accountId}, ${kind}) returning id
	`
	if (!row) throw new Error('an insert returns its row')
	return row.id
}

/** Returns a set with the number and the size of its files; undefined for one that the account does not have. */
export async function findSet(sql: Sql, accountId: AccountId, id: string): Promise<FileSet | undefined> {
	const [row] = await sql<FileSet[]>`
		select s.id, s.kind, s.created_at as "createdAt", count(f.id) as files, coalesce(sum(f.bytes), 0)::bigint as bytes
		from header_file_sets s
		left join header_files f on f.account_id = ${accountId} and f.set_id = s.id
		where s.account_id = ${accountId} and s.id = ${id}
		group by s.account_id, s.id, s.kind, s.created_at
	`
	return row
}

/** Returns the names of a set's files. */
export async function listNames(sql: Sql, accountId: AccountId, setId: number): Promise<string[]> {
	const rows = await sql<{ name: string }[]>`
		select name from header_files where account_id = ${accountId} and set_id = ${setId} order by id
	`
	return rows.map(({ name }) => name)
}

/** The name and the storage key of a file. */
export interface StoredName {
	name: string
	key: string
}

/** Returns a file of a set, the first one without an id; undefined when there is none. */
export async function findFile(
	sql: Sql,
	accountId: AccountId,
	{ setId, id }: { setId: number; id: string | null },
): Promise<StoredName | undefined> {
	const [row] = await sql<StoredName[]>`
		select name, file_key as key from header_files
		where account_id = ${accountId} and set_id = ${setId} and (${id}::bigint is null or id = ${id}::bigint)
		order by id
		limit 1
	`
	return row
}

/** Returns the storage key of the set's file with this name or address key; undefined for a free name. */
export async function findByName(
	sql: Sql,
	accountId: AccountId,
	{ setId, name }: { setId: number; name: string },
): Promise<string | undefined> {
	const [row] = await sql<{ key: string }[]>`
		select file_key as key from header_files
		where account_id = ${accountId} and set_id = ${setId} and name_key = lower(normalize(${name}::text, NFC))
	`
	return row?.key
}

/** Returns true when a file of the account has this storage key. */
export async function isStored(sql: Sql, accountId: AccountId, key: string): Promise<boolean> {
	const rows = await sql`select 1 from header_files where account_id = ${accountId} and file_key = ${key} limit 1`
	return rows.length > 0
}

export interface NewFile extends StoredName {
	setId: number
	/** The name without its extension. */
	stem: string
	number: string | null
	bytes: number
	/**
	 * The key of the address from which the file was fetched; undefined for an uploaded file. A fetched file is found only by
	 * this key.
	 */
	addressKey?: string | undefined
}

/** Adds a file to a set. Returns its id; null when the set has a file with this name. */
export async function insertFile(sql: Sql, accountId: AccountId, file: NewFile): Promise<number | null> {
	const { name, stem, addressKey } = file
	const [row] = await sql<{ id: number }[]>`
		insert into header_files (account_id, set_id, name, name_key, stem_key, number, file_key, bytes)
		values (${accountId}, ${file.setId}, ${name}, lower(normalize(${addressKey ?? name}::text, NFC)),
			lower(normalize(${addressKey ?? stem}::text, NFC)), ${file.number}, ${file.key}, ${file.bytes})
		on conflict (account_id, set_id, name_key) do nothing
		returning id
	`
	return row?.id ?? null
}

/** Records why no file could be fetched from an address, up to the most addresses of a set. */
export async function insertRefused(
	sql: Sql,
	accountId: AccountId,
	{ setId, addressKey, reason }: { setId: number; addressKey: string; reason: string },
): Promise<void> {
	await sql`
		insert into refused_addresses (account_id, set_id, address_key, reason)
		select ${accountId}, ${setId}, ${addressKey}, ${reason} where (
			select count(*) from refused_addresses where account_id = ${accountId} and set_id = ${setId}
		) < ${MAX_FILES}
		on conflict (account_id, set_id, address_key) do update set reason = excluded.reason
	`
}

export async function deleteRefused(sql: Sql, accountId: AccountId, setId: number): Promise<void> {
	await sql`delete from refused_addresses where account_id = ${accountId} and set_id = ${setId}`
}

/** Returns the condition that no unfinished campaign of the account may send files of the set `s`. */
const isUnused = (sql: Sql, accountId: AccountId) => sql`not exists (
	select 1 from campaigns c
	where c.account_id = ${accountId} and c.files_through is not null and c.finished_at is null and c.created_at >= s.created_at
)`

/** Locks a set against its deletion until the order with its files is written. Returns false for a set that is gone. */
export async function lockSet(sql: Sql, accountId: AccountId, setId: number): Promise<boolean> {
	const rows = await sql`
		select 1 from header_file_sets where account_id = ${accountId} and id = ${setId} for key share
	`
	return rows.length > 0
}

/**
 * Deletes a set with its files, unless a campaign may still send them; returns whether it did. The contents are deleted with
 * all files that nothing refers to. The first statement waits for orders that are being written, which the second one reads.
 */
export async function deleteSet(sql: Sql, accountId: AccountId, setId: number): Promise<boolean> {
	await sql`select 1 from header_file_sets where account_id = ${accountId} and id = ${setId} for update`
	const { count } = await sql`
		delete from header_file_sets s where s.account_id = ${accountId} and s.id = ${setId} and ${isUnused(sql, accountId)}
	`
	return count > 0
}

export async function deleteOldSets(sql: Sql, accountId: AccountId, { age, limit }: OldRows): Promise<number> {
	const { count } = await sql`
		delete from header_file_sets where account_id = ${accountId} and id in (
			select s.id from header_file_sets s
			where s.account_id = ${accountId} and s.created_at < now() - ${age}::interval and ${isUnused(sql, accountId)}
			limit ${limit}
			for update skip locked
		)
	`
	return count
}

/** Deletes the files whose names contain one of these numbers. Returns how many. */
export async function deleteFilesOf(sql: Sql, accountId: AccountId, numbers: readonly string[]): Promise<number> {
	const { count } = await sql`
		delete from header_files where account_id = ${accountId} and number = any(${numbers}::text[])
	`
	return count
}
