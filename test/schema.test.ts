import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { isDistributed } from '#lib/server/db/schema/distribute.ts'
import { launchTestDatabase } from './database.ts'
import { describeSchema } from './readers/schema.ts'

const database = await launchTestDatabase()

test('db/schema.sql equals the schema that the migrations create', async (t) => {
	if (await isDistributed(database.sql)) return t.skip('distributed tables have what Citus adds')
	const written = readFileSync(new URL('../db/schema.sql', import.meta.url), 'utf8')
	assert.equal(written, await describeSchema(database.sql), 'Run npm run schema, and commit db/schema.sql.')
})

test('describeSchema returns the columns, keys, indexes and settings of a table', async () => {
	await database.sql`
		create table pets (
			id bigint generated always as identity constraint pets_key primary key,
			age integer not null default 0 constraint pets_age check (age >= 0),
			owner text
		) with (fillfactor = 50)`
	await database.sql`create index pets_owner on pets (owner) where owner is not null`
	const text = await describeSchema(database.sql)
	await database.sql`drop table pets`
	const table = text.slice(text.indexOf('create table pets'))
	assert.equal(
		table.slice(0, table.indexOf('\ncreate table', 1)).trimEnd(),
		`create table pets (
	id bigint not null generated always as identity,
	age integer not null default 0,
	owner text,
	constraint pets_key PRIMARY KEY (id),
	constraint pets_age CHECK ((age >= 0))
) with (fillfactor=50);
CREATE INDEX pets_owner ON pets USING btree (owner) WHERE (owner IS NOT NULL);`,
	)
})
