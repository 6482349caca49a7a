import { migrate } from '#lib/server/db/schema/migrate.ts'

/** `npm run distribute`: distributes the accounts of the database at DATABASE_URL, a Citus coordinator, over its machines. */
const url = process.env.LISTEN_URL || process.env.DATABASE_URL
if (!url) throw new Error('Set DATABASE_URL to the coordinator of a Citus cluster.')
const added = await migrate(url, { isDistributing: true })
console.log(
	added.length === 0
		? 'All tables are distributed already.'
		: `${added.length} tables are now spread over the machines of the cluster: ${added.join(', ')}.`,
)
