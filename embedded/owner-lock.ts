import { Client } from 'pg'
import { isAlive } from './processes.ts'

const KEY = 7_203_114_085
const NAME_PREFIX = 'server '

export interface AccountLock {
	release(): Promise<void>
}

/**
 * Takes the lock that lets only one process use the database. The lock belongs to a separate connection, which ends with the
 * process; `onLost` is called when that connection closes before the release.
 */
export async function takeAccountLock(url: string, dataDir: string, onLost: () => void): Promise<AccountLock> {
	let released = false
	let locked = false
	const client = new Client({
		connectionString: url,
		connectionTimeoutMillis: 10_000,
		application_name: `${NAME_PREFIX}${process.pid}`,
	})
	client.on('error', () => {})
	client.on('end', () => {
		if (locked && !released) onLost()
	})
	const release = async () => {
		released = true
		await client.end()
	}
	try {
		await client.connect()
		await waitForLock(client, dataDir)
		locked = true
		return { release }
	} catch (error) {
		await release()
		throw error
	}
}

export class DataDirInUse extends Error {}

// Waits for the lock. The connection of a killed process ends within milliseconds, and its pid may remain for a moment longer.
async function waitForLock(client: Client, dataDir: string) {
	const started = Date.now()
	for (;;) {
		const answer = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [KEY])
		if (answer.rows[0]?.taken) return
		const holders = await client.query<{ application_name: string }>(
			`select a.application_name
			from pg_locks l
			join pg_stat_activity a on a.pid = l.pid
			where l.locktype = 'advisory' and l.granted and l.objsubid = 1
			and (l.classid::bigint << 32 | l.objid::bigint) = $1`,
			[KEY],
		)
		const holder = holders.rows[0]
		const pid = Number(holder?.application_name.slice(NAME_PREFIX.length))
		if (holder && Date.now() - started > (isAlive(pid) ? 300 : 5000)) {
			throw new DataDirInUse(
				`Another server (pid ${pid}) is using ${dataDir}. Stop it first, or choose another DATA_DIR.`,
			)
		}
		await new Promise((resolve) => setTimeout(resolve, 20))
	}
}
