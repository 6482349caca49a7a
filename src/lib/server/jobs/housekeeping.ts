import type { AccountId } from '../db.ts'
import { subscribe, type Channel } from '../db/channels.ts'
import type { Listener } from '../db/listener.ts'
import type { Log } from '../log.ts'
import type { Worker } from './workers.ts'

/** Work that one process does for all, over and over. */
export interface HousekeepingTask {
	/** For the logs. */
	name: string
	intervalMs: number
	/**
	 * Does one portion. Resolves with more than 0, or true, when there may be more to do: then it runs again at once.
	 * Long work looks at `signal` between its chunks: it is aborted when the process stops, or is no longer the elected one.
	 */
	run(signal: AbortSignal): Promise<number | boolean | void>
	/** A notification on this channel runs it at once. */
	wakeOn?: Channel<AccountId>
}

export interface HousekeepingDeps {
	worker: Pick<Worker, 'isElected'>
	log: Log
	listener: Listener
}

export interface Housekeeping {
	/** Starts nothing more and resolves when what runs has come to the end of its chunk. */
	stop(): Promise<void>
}

/**
 * Runs each task by itself at its interval, and never twice at once, as long as this process is the elected one. One that
 * fails is logged and runs again at its next interval.
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

/** The election is looked at so often; a task that ends a second late does no harm. */
const ELECTION_CHECK_MS = 1000

interface Terms {
	/** Returns the signal of the current term of office; null while this process is not elected, or stops. */
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
