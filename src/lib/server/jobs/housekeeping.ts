import type { OwnerId } from '../db.ts'
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
	 * Long work asks `isStopping` between its chunks.
	 */
	run(isStopping: () => boolean): Promise<number | boolean | void>
	/** A notification on this channel runs it at once. */
	wakeOn?: Channel<OwnerId>
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
	const state = { isStopping: false }
	const runners = tasks.map((task) => startTask(deps, task, state))
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
			state.isStopping = true
			for (const end of unlisten) end()
			await Promise.all(runners.map((runner) => runner.stop()))
		},
	}
}

function startTask({ worker, log }: HousekeepingDeps, task: HousekeepingTask, state: { isStopping: boolean }) {
	const mayRun = () => !state.isStopping && worker.isElected()
	let isAskedAgain = false
	let running: Promise<void> | null = null

	const run = async () => {
		try {
			do {
				isAskedAgain = false
				if (Number(await task.run(() => !mayRun())) > 0) isAskedAgain = true
			} while (isAskedAgain && mayRun())
		} catch (error) {
			log.error({ error, task: task.name }, 'a housekeeping task failed')
		}
	}
	const wake = () => {
		if (running) isAskedAgain = true
		else if (mayRun()) running = run().finally(() => (running = null))
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
