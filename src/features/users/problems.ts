import { problemsOf } from '#lib/app-error.ts'

/** Refusals of changes of users and of their business details. */
export const problem = problemsOf({
	own_second_factor: { status: 400, text: 'Remove your own two-step login in your settings' },
	own_deletion: { status: 400, text: 'You cannot delete your own account' },
	own_deactivation: { status: 400, text: 'You cannot deactivate your own account' },
	own_role: { status: 400, text: 'You cannot change your own role' },
	state_of_gstin: {
		status: 400,
		text: ({ state }: { state: string }) => `The GSTIN belongs to ${state}. Change the state or the GSTIN.`,
		field: 'businessState',
	},
	last_admin: {
		status: 409,
		text: ({ change }: { change: 'deleted' | 'made a user' | 'deactivated' }) =>
			`The last active admin cannot be ${change}`,
	},
})
