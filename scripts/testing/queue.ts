export interface Queue {
	/** Runs the tasks, before all waiting ones if `isFirst`. Resolves with their results when all have ended. */
	run<T>(tasks: (() => Promise<T>)[], options?: { isFirst?: boolean }): Promise<T[]>
}

interface Waiting {
	task: () => Promise<unknown>
	end: (result: Promise<unknown>) => void
}

/** Creates a queue that runs at most `concurrency` tasks at a time. */
export function createQueue(concurrency: number): Queue {
	let waiting: Waiting[] = []
	let running = 0
	function startNext() {
		while (running < concurrency) {
			const next = waiting.shift()
			if (!next) return
			running++
			const result = next.task()
			next.end(result)
			void result.catch(() => {}).finally(release)
		}
	}
	function release() {
		running--
		startNext()
	}
	return {
		run(tasks, { isFirst = false } = {}) {
			const results = tasks.map((task) => {
				const { promise, resolve } = Promise.withResolvers<Awaited<ReturnType<typeof task>>>()
				return { promise, entry: { task, end: resolve as Waiting['end'] } }
			})
			const added = results.map(({ entry }) => entry)
			waiting = isFirst ? [...added, ...waiting] : [...waiting, ...added]
			startNext()
			return Promise.all(results.map(({ promise }) => promise))
		},
	}
}
