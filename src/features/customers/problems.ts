import { problemsOf } from '#lib/app-error.ts'
import { MAX_NOTES } from './contract.ts'

/** Refusals about notes. */
export const problem = problemsOf({
	notes_full: {
		status: 409,
		text: `There are ${MAX_NOTES} notes about this customer, which is the most. Delete one that you no longer need.`,
		field: 'text',
	},
})
