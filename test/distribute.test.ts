import assert from 'node:assert/strict'
import { appendFile, cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { connect, type Db } from '#lib/server/db.ts'
import { migrate } from '#lib/server/db/schema/migrate.ts'
import { asAdmin, createOnNodes, disconnect, onAllNodes, findNodes, urlOf } from './servers/cluster.ts'

/** These tests need a Citus coordinator at TEST_DATABASE_URL. */
const serverUrl = process.env.TEST_LISTEN_URL || process.env.TEST_DATABASE_URL
const nodes = serverUrl ? await findNodes(serverUrl) : null
const options = { skip: nodes === null && 'not on a Citus coordinator' }

const NAME = `test_distribute_${process.pid}`
const url = urlOf(nodes?.[0] ?? 'postgres://none', NAME)
const FUTURE = `
create table pets (
	account_id bigint not null constraint pets_account references accounts (id),
	id bigint generated always as identity,
	name text not null,
	constraint pets_key primary key (account_id, id)
);
insert into pets (account_id, name) select account_id, 'Cat of ' || account_id from wallets;
create index pets_name on pets (account_id, name);
alter table wallets add column pet_count bigint;
update wallets set pet_count = 1;
alter table wallets alter column pet_count set default 0;
alter table wallets alter column pet_count set not null;
alter table wallets add constraint wallets_pet_count check (pet_count >= 0);
alter table notifications rename column link to address;
`
let folder: string
let db: Db

before(async () => {
	if (!nodes) return
	await createOnNodes(nodes, NAME)
	folder = await mkdtemp(join(tmpdir(), 'distribute-'))
	await cp(new URL('../db', import.meta.url), folder, { recursive: true })
	db = connect(url, { max: 2 })
})
after(async () => {
	if (!nodes) return
	await db.end()
	await disconnect(nodes, NAME)
	await onAllNodes(nodes, (admin) => admin.unsafe(`drop database "${NAME}" with (force)`))
	await rm(folder, { recursive: true })
})

async function countRows(table: string): Promise<unknown> {
	const [row] = await db.unsafe(`select count(*) as rows from ${table}`)
	return row?.rows
}

/** Lists the distributed tables of which the coordinator has rows outside of shards. */
async function listTablesWithLocalRows(): Promise<string[]> {
	const rows = await db<{ name: string }[]>`
		select logicalrelid::regclass::text as name from pg_dist_partition where pg_relation_size(logicalrelid) > 0
	`
	return rows.map(({ name }) => name)
}

test('distribute distributes a database with all its rows, and does nothing the second time', options, async () => {
	await migrate(url)
	await db`insert into accounts select from generate_series(1, 50)`
	await db`insert into wallets (account_id) select id from accounts`
	await db`
		insert into users (account_id, name, email, password_hash, role)
		select id, 'Admin', 'admin@example.com', 'none', 'admin' from accounts limit 1
	`
	await db`
		insert into admin_actions (actor_id, action, actor_name, actor_email)
		select id, 'price_change', name, email from users
	`
	const added = await migrate(url, { isDistributing: true })
	assert.ok(added.includes('wallets') && added.includes('accounts'))
	assert.deepEqual(
		[await countRows('accounts'), await countRows('wallets'), await countRows('admin_actions')],
		[50, 50, 1],
	)
	assert.deepEqual(await listTablesWithLocalRows(), [])
	for (const attempt of [db`truncate admin_actions`, db`truncate users cascade`])
		await assert.rejects(async () => attempt, /append-only/)
	const places = await db`
		select nodename, nodeport from citus_shards where table_name = 'wallets'::regclass group by 1, 2
	`
	assert.equal(places.length, (nodes?.length ?? 0) - 1)
	assert.deepEqual(await migrate(url, { isDistributing: true }), [])
})

test('migrate upgrades a distributed database and distributes its new tables with their rows', options, async () => {
	const schema = pathToFileURL(`${folder}/`)
	await writeFile(join(folder, 'migrations', '9999_future.sql'), FUTURE)
	await appendFile(
		join(folder, 'citus.sql'),
		"select create_distributed_table('pets', 'account_id', colocate_with => 'wallets');\n",
	)
	assert.deepEqual(await migrate(url, { folder: schema }), ['pets'])
	assert.deepEqual(await migrate(url, { folder: schema }), [])
	assert.equal(await countRows('pets p join wallets w using (account_id) where w.pet_count = 1'), 50)
	const [row] = await db`
		insert into pets (account_id, name) select id, 'Dog' from accounts order by id limit 1 returning id
	`
	assert.ok(Number(row?.id) > 50)
	await assert.rejects(async () => db`update wallets set pet_count = -1 where account_id = 1`, /wallets_pet_count/)
})

test('migrations of a distributed database change every machine', options, async () => {
	for (const node of nodes ?? []) {
		const seen = await asAdmin(urlOf(node, NAME), (each) => each`select pet_count from wallets where account_id = 1`)
		assert.equal(seen.length, 1)
	}
})
