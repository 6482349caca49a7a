import { startJobs, type JobHandler } from '#lib/server/jobs/jobs.ts'
import { startWorkerHeartbeat } from '#lib/server/jobs/workers.ts'

type JobsContext = Omit<Parameters<typeof startJobs>[0], 'worker'>

/** Runs jobs of these handlers as a worker of its own, and returns the function that stops it. */
export async function runJobs(context: JobsContext, handlers: JobHandler<object>[]): Promise<() => Promise<void>> {
	const worker = await startWorkerHeartbeat(context.db, context.log)
	const jobs = await startJobs({ ...context, worker }, handlers)
	return async () => {
		await jobs.stop()
		await worker.stop()
	}
}
