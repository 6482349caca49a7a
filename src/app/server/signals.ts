import type { Log } from '#lib/server/log.ts'

/** Milliseconds after which a stop is given up and the process exits with 1. */
const STOP_TIMEOUT_MS = 10_000

/**
 * Calls `start`, and stops its result on SIGTERM or SIGINT, then exits with 0. Logs a failed start in one line and
 * exits with 1.
 */
export async function runUntilSignal(log: Log, start: () => Promise<{ stop(): Promise<void> }>): Promise<void> {
	const running = start()
	let hasBegun = false
	const stop = (signal: string) => {
		if (hasBegun) return
		hasBegun = true
		log.info({ signal }, 'stopping')
		setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref()
		void running.then((started) => started.stop()).then(() => process.exit(0))
	}
	process.on('SIGTERM', stop)
	process.on('SIGINT', stop)
	await running.catch((error: unknown) => {
		process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
		process.exit(1)
	})
}
