import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { createTestDatabase } from './database.ts'
import { findRefused } from './readers/citus-refusals.ts'

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

/** Statements that Citus refuses, each with a part of the reason. */
const REFUSED: [RegExp, string][] = [
	[/a subquery in an INSERT/, 'insert into users (name) values ($1) returning (select count(*) from sessions)'],
	[/a subquery in an INSERT/, 'insert into wallets (account_id) values ((select max(id) from accounts))'],
	[/RETURNING/, "insert into senders (account_id) values ($1) returning updated_at > now() - interval '1 day'"],
	[
		/ON CONFLICT/,
		'insert into chats (account_id, key) select $1::bigint, $2 on conflict (account_id, key) do update set closed_at = now()',
	],
	[
		/CASE or COALESCE/,
		"update campaigns set files_through = case when created_at < $1::timestamptz - interval '25 days' then 0 end where account_id = $2",
	],
	[
		/CASE or COALESCE/,
		'with a as (update campaigns set started_at = coalesce($1, now()) where account_id = $2 returning id) select id from a',
	],
	[/CASE or COALESCE/, 'update users set erased_at = case when $1 then current_timestamp end where id = $2'],
	[/CASE x WHEN/, 'update campaigns set sent_count = case sent_count when $1 then 2 end where account_id = $2'],
	[/a STABLE function of a column/, "delete from sessions where created_at + interval '1 day' < $1"],
	[/a STABLE function of a column/, 'update campaigns set name = created_at::text where account_id = $1'],
	[/a VOLATILE function/, 'update campaigns set sent_count = random() where account_id = $1'],
]

/** Statements that resemble those, and that Citus runs. */
const RUN = [
	"update campaigns set started_at = coalesce(started_at, $1), files_through = 1 where account_id = $2 and opens_at < $1::timestamptz - interval '1 day'",
	'insert into wallets (account_id) values ($1) returning account_id',
	'insert into sessions (user_id) select id from (select id from users) u returning (select count(*) from sessions)',
	'update campaigns set name = name || $1::text || sent_count where account_id = $2 and created_at < now()',
	'update campaigns set sent_count = coalesce((select count(*) from chats where account_id = $1 and last_at < now()), 0) where account_id = $1',
	'update jobs set attempts = case when due_at < now() then 1 end',
]

test('findRefused returns the statements that Citus refuses, with the reason, and no other', async () => {
	const refused = await findRefused(database.directUrl, [...RUN, ...REFUSED.map(([, text]) => text)])
	assert.deepEqual(
		refused.map((line) => line.slice(line.indexOf(': ') + 2)),
		REFUSED.map(([, text]) => text),
	)
	for (const text of RUN) await database.sql.unsafe(`prepare run as ${text}; deallocate run`)
	for (const [index, [reason]] of REFUSED.entries()) assert.match(refused[index] ?? '', reason)
})
