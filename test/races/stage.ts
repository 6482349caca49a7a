import type { AppContext } from '#app/server/context.ts'
import type { Log } from '#lib/server/log.ts'
import { startTestApp } from '#test/http-app.ts'
import { interceptStatements } from './strand.ts'

/** State that every scene of a run shares. */
export interface Stage {
	context: AppContext
	actor: { adminId: number; ip: string }
	/** Errors that sweeps logged instead of throwing them. */
	logged: unknown[]
	close(): Promise<void>
}

/** Starts the product without workers on a new database. */
export async function openStage(): Promise<Stage> {
	interceptStatements()
	const app = await startTestApp()
	const { userId } = await app.signIn('admin')
	const actor = { adminId: Number(userId), ip: '192.0.2.1' }
	return { context: app.context, actor, logged: [], close: () => app.close() }
}

/** Returns the dependencies of the product's sweeps. Errors that they log are collected in `logged`. */
export function sweepDeps({ context, logged }: Stage) {
	const { db, restoreGenerations, notify } = context
	const error = (fields: unknown) => void logged.push(fields)
	const log: Log = Object.assign(Object.create(context.log) as Log, { error })
	return { db, restoreGenerations, notify, log, unknownAfter: 900 }
}
