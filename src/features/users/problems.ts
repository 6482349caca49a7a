import { problemsOf } from '#lib/app-error.ts'

/** Refusals of the changes that admins make to users. */
export const problem = problemsOf({
	own_second_factor: { status: 400, text: 'Remove your own two-step login in your profile' },
	own_deletion: { status: 400, text: 'You cannot delete your own account' },
	own_deactivation: { status: 400, text: 'You cannot deactivate your own account' },
	own_role: { status: 400, text: 'You cannot change your own role' },
	last_admin: {
		status: 409,
		text: ({ change }: { change: 'deleted' | 'made a user' | 'deactivated' }) =>
			`The last active admin cannot be ${change}`,
	},
})
