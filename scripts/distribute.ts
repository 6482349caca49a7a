import { readFile } from 'node:fs/promises'
import { connect } from '#lib/server/db.ts'
import { migrate } from '#lib/server/migrate.ts'

/** `npm run distribute`: spreads the accounts of the database at DATABASE_URL, a Citus coordinator, over its machines. */
const url = process.env.DATABASE_URL
if (!url) throw new Error('Set DATABASE_URL to the coordinator of a Citus cluster.')
await migrate(url)
const db = connect(url, { max: 1, name: 'distribute' })
try {
	const [citus] = await db`select 1 from pg_extension where extname = 'citus'`
	if (!citus)
		throw new Error('This database has no citus extension: run "create extension citus" on a Citus coordinator first.')
	const [done] = await db`select 1 from pg_dist_partition limit 1`
	if (done) throw new Error('This database is distributed already.')
	await db.unsafe(await readFile(new URL('../db/citus.sql', import.meta.url), 'utf8'))
	console.log('The accounts are now spread over the machines of the cluster.')
} finally {
	await db.end()
}
