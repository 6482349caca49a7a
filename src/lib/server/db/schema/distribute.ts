import { readFile } from 'node:fs/promises'
import { transaction, type Db, type Sql } from '#lib/server/db.ts'
import { identifier } from '#lib/server/statement.ts'
import { splitStatements } from './split-statements.ts'

/**
 * Prepares a transaction that creates or alters tables on Citus; other servers ignore both settings. The first keeps
 * new tables with a foreign key to a reference table out of Citus metadata, since one with an identity column could no
 * longer be distributed. The second keeps all statements on the connections that hold the transaction's changes.
 */
export async function prepareSchemaChange(sql: Sql): Promise<void> {
	await sql`set local citus.enable_local_reference_table_foreign_keys = off`
	await sql`set local citus.multi_shard_modify_mode = 'sequential'`
}

/** Returns true on a Citus coordinator whose tables are already distributed. */
export async function isDistributed(db: Db): Promise<boolean> {
	return (await hasCitus(db)) && (await listDistributed(db)).size > 0
}

/**
 * Distributes the tables of db/citus.sql that are not distributed yet, and returns their names. Idempotent, also after
 * a failure. Afterwards deletes the coordinator's copy of the rows, which no query reads any more.
 */
export async function distribute(db: Db, tablesFile: URL): Promise<string[]> {
	if (!(await hasCitus(db)))
		throw new Error('This database has no citus extension: run "create extension citus" on a Citus coordinator first.')
	const distributed = await listDistributed(db)
	const added: string[] = []
	for (const statement of splitStatements(await readFile(tablesFile, 'utf8'))) {
		const table = /create_(?:reference|distributed)_table\('(\w+)'/.exec(statement)?.[1]
		if (table === undefined) throw new Error(`db/citus.sql holds what distributes no table: ${statement}`)
		if (distributed.has(table)) continue
		await transaction(db, async (sql) => {
			await prepareSchemaChange(sql)
			// Allowed, since the audit trail's trigger reads its own row only.
			await sql`set local citus.enable_unsafe_triggers = 'on'`
			await sql.unsafe(statement)
		})
		added.push(table)
	}
	await deleteLocalRows(db)
	return added
}

/** Deletes the coordinator's own rows of distributed tables, also those that an earlier command has left. */
async function deleteLocalRows(db: Db): Promise<void> {
	// Later tables come first, since they reference earlier ones.
	const filled = await db<{ name: string }[]>`
		select c.relname as name ${distributedTables(db)} and c.relkind = 'r' and pg_relation_size(c.oid) > 0
		order by c.oid desc
	`
	if (filled.length === 0) return
	const guarded = await db<{ name: string }[]>`
		select c.relname as name ${distributedTables(db)}
			and exists (select from pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal)
	`
	await transaction(db, async (sql) => {
		// Triggers refuse to empty the audit trail. Those of its shards, which hold the rows that are read, stay on.
		await sql`set local citus.enable_ddl_propagation = off`
		await sql`set local citus.enable_unsafe_triggers = 'on'`
		for (const { name } of guarded) await sql`alter table ${identifier(name)} disable trigger user`
		for (const { name } of filled) await sql`select truncate_local_data_after_distributing_table(${name}::regclass)`
		for (const { name } of guarded) await sql`alter table ${identifier(name)} enable trigger user`
	})
}

async function hasCitus(db: Db): Promise<boolean> {
	return (await db`select 1 from pg_extension where extname = 'citus'`).length > 0
}

/** Selects the tables that are distributed by a column (h) or replicated to every node (t), as `pg_class c`. */
const distributedTables = (sql: Sql) => sql`
	from pg_dist_partition p
	join pg_class c on c.oid = p.logicalrelid
	where c.relnamespace = 'public'::regnamespace and (p.partmethod = 'h' or p.repmodel = 't')
`

async function listDistributed(db: Db): Promise<Set<string>> {
	const rows = await db<{ name: string }[]>`select c.relname as name ${distributedTables(db)}`
	return new Set(rows.map((row) => row.name))
}
