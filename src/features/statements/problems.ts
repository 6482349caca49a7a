import { problemsOf } from '#lib/app-error.ts'

/** Refusals of decisions about waiting refunds. */
export const problem = problemsOf({
	refund_decided_already: {
		status: 409,
		text: 'This refund was decided or has changed meanwhile. Please look at the list again.',
	},
})
