import type { Log } from '#lib/server/log.ts'

/** A stop that takes longer ends the process with 1. */
const STOP_TIMEOUT_MS = 10_000

/** Starts something, and on SIGTERM or SIGINT stops it and exits with 0. A failed start is logged in one line and exits with 1. */
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
