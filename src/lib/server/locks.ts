import { connect } from './db.ts'

/** Named locks that the database frees the moment this process or its connection dies. */
export interface Locks {
	/** True when this process now holds the lock (or held it already). */
	take(name: string): Promise<boolean>
	release(name: string): Promise<void>
	close(): Promise<void>
}

/** How often the connection that holds the locks is checked, in milliseconds. */
const CHECK_EVERY = 1000

/**
 * Holds session-level advisory locks on one connection of its own. `onLost` is called when that connection is gone:
 * then none of the locks is held any more.
 */
export async function openLocks(url: string, onLost: () => void): Promise<Locks> {
	const db = connect(url, { max: 1, name: 'locks' })
	const held = new Set<string>()
	const backend = async () => (await db<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]?.pid
	let pid = await backend()

	const check = async () => {
		const now = await backend().catch(() => undefined)
		if (now === pid) return true
		pid = now
		const lost = held.size > 0
		held.clear()
		if (lost) onLost()
		return false
	}
	const timer = setInterval(() => void check(), CHECK_EVERY)

	return {
		async take(name) {
			if (held.has(name)) return true
			const [row] = await db<{ taken: boolean; pid: number }[]>`
				select pg_try_advisory_lock(hashtextextended(${name}, 0)) as taken, pg_backend_pid() as pid
			`
			if (row?.pid !== pid) await check()
			if (row?.taken) held.add(name)
			return row?.taken ?? false
		},
		async release(name) {
			if (!held.delete(name)) return
			await db`select pg_advisory_unlock(hashtextextended(${name}, 0))`
		},
		async close() {
			clearInterval(timer)
			await db.end()
		},
	}
}
