import { readFile } from 'node:fs/promises'
import { transaction, type Db, type Sql } from '../db.ts'
import { splitStatements } from './split-statements.ts'

/**
 * For transactions that create or alter tables. Without the first, a table with a foreign key to a reference table is
 * registered at once as a table of the coordinator, and one with an identity column can then no more be distributed. The
 * second keeps all statements of a transaction on the connections that hold its changes. Other servers ignore both.
 */
export async function prepareSchemaChange(sql: Sql): Promise<void> {
	await sql`set local citus.enable_local_reference_table_foreign_keys = off`
	await sql`set local citus.multi_shard_modify_mode = 'sequential'`
}

/** Whether this is a Citus coordinator whose tables have been distributed before. */
export async function isDistributed(db: Db): Promise<boolean> {
	return (await hasCitus(db)) && (await listDistributed(db)).size > 0
}

/**
 * Distributes those of the tables in db/citus.sql that are not yet, and returns their names. Repeatable, also after a failure.
 * What a table held stays on the coordinator as well, where nobody sees it any more: that copy is removed at the end.
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
			// The trigger of the audit trail looks at its own row alone.
			await sql`set local citus.enable_unsafe_triggers = 'on'`
			await sql.unsafe(statement)
		})
		added.push(table)
	}
	// The last ones first, as they refer to the ones before.
	for (const table of added.toReversed())
		await db`select truncate_local_data_after_distributing_table(${table}::regclass)`
	return added
}

async function hasCitus(db: Db): Promise<boolean> {
	return (await db`select 1 from pg_extension where extname = 'citus'`).length > 0
}

/** Distributed by a column (h) or held whole by every machine (t). */
async function listDistributed(db: Db): Promise<Set<string>> {
	const rows = await db<{ name: string }[]>`
		select c.relname as name
		from pg_dist_partition p
		join pg_class c on c.oid = p.logicalrelid
		where c.relnamespace = 'public'::regnamespace and (p.partmethod = 'h' or p.repmodel = 't')
	`
	return new Set(rows.map((row) => row.name))
}
