import { problemsOf } from '#lib/app-error.ts'

/** Errors of the server as a whole: metrics, live updates and the limits of concurrent calls. */
export const problem = problemsOf({
	metrics_refused: {
		status: 403,
		text: 'Metrics are answered on this machine, and elsewhere with METRICS_TOKEN as the bearer token',
	},
	too_many_tabs: {
		status: 429,
		text: (_facts: { waitSeconds: number }) => 'Too many tabs are open. Close some to see live updates in this one.',
	},
	too_many_calls_waiting: {
		status: 429,
		text: ({ does, what, each, maxWaiting }: WaitingCalls) =>
			`Your account may ${does} ${each} ${what} at once, and ${maxWaiting} more are waiting. ` +
			'Wait until some are done, then try again.',
	},
})

/** `does` and `what` name the limited work, as in "upload" 3 "files". */
interface WaitingCalls {
	does: string
	what: string
	each: number
	maxWaiting: number
	waitSeconds: number
}
