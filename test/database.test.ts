import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTestDatabase } from './database.ts'

test('createTestDatabase returns a migrated database with the job queue, separate from the others', async () => {
	const [one, other] = await Promise.all([createTestDatabase(), createTestDatabase()])
	after(() => Promise.all([one.drop(), other.drop()]))
	await one.sql`create table only_here (id int)`
	const names = (db: typeof one) => db.sql<{ name: string }[]>`
		select format('%I.%I', schemaname, tablename) as name from pg_tables
	`
	const [here, there] = [await names(one), await names(other)].map((rows) => rows.map((row) => row.name))
	assert.ok(here?.includes('public.only_here'))
	assert.ok(there && !there.includes('public.only_here'))
	assert.ok(there.includes('public.schema_migrations'))
})
