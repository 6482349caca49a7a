import type { AccountId } from '../db.ts'
import { subscribe, type Channel } from '../db/channels/channels.ts'
import type { Listener } from '../db/channels/listener.ts'
import type { Log } from '../log.ts'
import type { Worker } from './workers.ts'

/** Recurring work that one elected process does. */
export interface HousekeepingTask {
	/** Name in the logs. */
	name: string
	intervalMs: number
	/**
	 * Does one portion. Resolves with true or more than 0 when more work may remain, and then runs again immediately. Long
	 * work checks `signal` between chunks: it aborts when the process stops or loses its election.
	 */
	run(signal: AbortSignal): Promise<number | boolean | void>
	/** Channel whose notifications run the task immediately. */
	wakeOn?: Channel<AccountId>
}

export interface HousekeepingDeps {
	worker: Pick<Worker, 'isElected'>
	log: Log
	listener: Listener
}

export interface Housekeeping {
	/** Starts nothing more; resolves after the current chunk of each running task. */
	stop(): Promise<void>
}

/**
 * Runs each task at its interval, never twice concurrently, while this process is elected. Logs a failure and runs the
 * task again at its next interval.
 */
export async function startHousekeeping(deps: HousekeepingDeps, tasks: HousekeepingTask[]): Promise<Housekeeping> {
	const term = startTerms(deps.worker)
	const runners = tasks.map((task) => startTask(deps, task, term))
	const unlisten = await Promise.all(
		tasks.map(async ({ wakeOn }, index) =>
			wakeOn === undefined
				? () => {}
				: subscribe(deps.listener, wakeOn, {
						onPayload: () => runners[index]?.wake(),
						onGap: () => runners[index]?.wake(),
					}),
		),
	)
	return {
		async stop() {
			term.stop()
			for (const end of unlisten) end()
			await Promise.all(runners.map((runner) => runner.stop()))
		},
	}
}

/** Interval of election checks in milliseconds; a task that ends a second late does no harm. */
const ELECTION_CHECK_MS = 1000

interface Terms {
	/** Returns the signal of the current term; null while this process is not elected or is stopping. */
	current(): AbortSignal | null
	stop(): void
}

function startTerms(worker: HousekeepingDeps['worker']): Terms {
	let term: AbortController | null = null
	let hasEnded = false
	const look = () => {
		if (!hasEnded && worker.isElected()) return (term ??= new AbortController()).signal
		term?.abort()
		term = null
		return null
	}
	const timer = setInterval(look, ELECTION_CHECK_MS)
	return {
		current: look,
		stop() {
			hasEnded = true
			clearInterval(timer)
			look()
		},
	}
}

function startTask({ log }: HousekeepingDeps, task: HousekeepingTask, terms: Terms) {
	let isAskedAgain = false
	let running: Promise<void> | null = null

	const run = async () => {
		try {
			for (let signal = terms.current(); signal; signal = isAskedAgain ? terms.current() : null) {
				isAskedAgain = false
				if (Number(await task.run(signal)) > 0) isAskedAgain = true
			}
		} catch (error) {
			log.error({ error, task: task.name }, 'a housekeeping task failed')
		}
	}
	const wake = () => {
		if (running) isAskedAgain = true
		else if (terms.current()) running = run().finally(() => (running = null))
	}
	const timer = setInterval(wake, task.intervalMs)
	wake()
	return {
		wake,
		async stop() {
			clearInterval(timer)
			await running
		},
	}
}
