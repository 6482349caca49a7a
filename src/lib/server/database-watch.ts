import { connect } from './db.ts'
import type { Log } from './log.ts'
import { findSchemaDifference } from './schema.ts'

/** What a process knows of its database beyond the answers to its statements. */
export interface DatabaseWatch {
	/** Why this process is not ready, for whoever runs it; null when nothing is known to be wrong. */
	problem(): string | null
	/** Whether a newer release has migrated the database. This process then takes no more work, for as long as it lives. */
	isOutdated(): boolean
	/** Resolves when `isOutdated`. */
	outdated: Promise<void>
	stop(): Promise<void>
}

const INTERVAL_MS = 2000
const TIMEOUT_MS = 5000

/** Looks at the database every two seconds, on a connection of its own, and logs once what is wrong. */
export async function watchDatabase(url: string, log: Log): Promise<DatabaseWatch> {
	const db = connect(url, { max: 1, name: 'watch', timeoutMs: TIMEOUT_MS })
	const outdated = Promise.withResolvers<void>()
	let problem: string | null = null
	let isOutdated = false
	const look = async () => {
		const difference = await findSchemaDifference(db)
		if (difference?.isNewer === true && !isOutdated) {
			isOutdated = true
			log.error({ problem: difference.problem }, 'this process is not ready any more and takes no more work')
			outdated.resolve()
		}
		problem = difference?.problem ?? null
	}
	await look()
	let looking: Promise<void> | null = null
	const timer = setInterval(() => {
		// What does not answer is noticed by whoever asks it something, and by /readyz.
		looking ??= look()
			.catch(() => {})
			.finally(() => (looking = null))
	}, INTERVAL_MS)
	return {
		problem: () => problem,
		isOutdated: () => isOutdated,
		outdated: outdated.promise,
		async stop() {
			clearInterval(timer)
			await looking
			await db.end()
		},
	}
}
