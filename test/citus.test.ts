import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { createTestDatabase } from './database.ts'

/** Tests that the schema can be distributed, by the catalogue of a migrated database. */
let database: Awaited<ReturnType<typeof createTestDatabase>>
let reference: string[]
let distributed: string[]
/** Tables that only the coordinator has. */
const LOCAL = [
	'epochs',
	'installation',
	'jobs',
	'portfolio_messages',
	'portfolios',
	'schema_migrations',
	'uncounted_accounts',
	'workers',
]

before(async () => {
	database = await createTestDatabase()
	const text = await readFile(new URL('../db/citus.sql', import.meta.url), 'utf8')
	const named = (call: string) =>
		[...text.matchAll(new RegExp(`${call}\\('(\\w+)'`, 'g'))].map((match) => match[1] ?? '')
	reference = named('create_reference_table')
	distributed = named('create_distributed_table')
})
after(() => database.drop())

test('citus.sql distributes every table by account or makes it a reference table, except those of the coordinator', async () => {
	const rows = await database.sql<{ name: string }[]>`
		select relname as name from pg_class
		where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
	`
	assert.deepEqual(rows.map((row) => row.name).toSorted(), [...reference, ...distributed, ...LOCAL].toSorted())
	assert.ok(distributed.length > 5)
})

test('every key of a distributed table begins with the account, and no distributed table has a trigger', async () => {
	const keys = await database.sql<{ table: string; first: string }[]>`
		select i.indrelid::regclass::text as table, a.attname as first
		from pg_index i
		join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
		where (i.indisunique or i.indisprimary) and i.indrelid::regclass::text = any(${distributed})
	`
	assert.ok(keys.length >= distributed.length)
	assert.deepEqual(
		keys.filter((key) => key.first !== 'account_id'),
		[],
	)
	const triggers = await database.sql`
		select tgname from pg_trigger where not tgisinternal and tgrelid::regclass::text = any(${distributed})
	`
	assert.equal(triggers.length, 0)
})

test('every foreign key references a reference table, or a distributed table with the account in the key', async () => {
	const keys = await database.sql<{ source: string; target: string; columns: string[] }[]>`
		select c.conrelid::regclass::text as source, c.confrelid::regclass::text as target,
			array(select a.attname::text from unnest(c.conkey) k join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k) as columns
		from pg_constraint c
		join pg_class r on r.oid = c.conrelid
		where c.contype = 'f' and c.connamespace = 'public'::regnamespace
	`
	const wrong = keys.filter(({ source, target, columns }) => {
		if (reference.includes(target)) return false
		return reference.includes(source) || columns[0] !== 'account_id'
	})
	assert.deepEqual(wrong, [])
})
