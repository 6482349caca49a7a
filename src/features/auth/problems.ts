import { problemsOf } from '#lib/app-error.ts'
import { BAD_LINK, type Role } from './contract.ts'

interface PasswordField {
	field: 'password' | 'newPassword'
}

const fieldOf = ({ field }: PasswordField) => field

/** Refusals of sign-in, passwords, mailed links and second factors. */
export const problem = problemsOf({
	sign_in_refused: { status: 401, text: 'Invalid email or password' },
	account_inactive: { status: 403, text: 'Your account is inactive. Please contact your administrator.' },
	second_step_needed: {
		status: 401,
		text: (_facts: { challenge: string }) => 'Enter the code from your authenticator app',
		shows: ['challenge'],
	},
	second_step_expired: {
		status: 401,
		text: (_facts: { expired: true }) => 'This took too long. Please enter your password again.',
		shows: ['expired'],
	},
	sign_in_code_wrong: { status: 401, text: 'This code is wrong or was used already', field: 'code' },
	second_factor_code_wrong: {
		status: 400,
		text: 'This code is wrong or was used already. Wait for the next one.',
		field: 'code',
	},
	second_factor_on: { status: 409, text: 'Two-step login is already on' },
	second_factor_missing: { status: 409, text: 'This user has no two-step login' },
	current_password_missing: { status: 400, text: 'Current password is required', field: 'currentPassword' },
	current_password_wrong: { status: 400, text: 'Current password is incorrect', field: 'currentPassword' },
	password_too_short: {
		status: 400,
		text: ({ role, least }: { role: Role; least: number } & PasswordField) =>
			`${role === 'admin' ? 'The password of an admin' : 'Password'} must be at least ${least} characters`,
		field: fieldOf,
	},
	password_common: {
		status: 400,
		text: (_facts: PasswordField) => 'This password is among the most common ones. Choose another one.',
		field: fieldOf,
	},
	password_contains_name: {
		status: 400,
		text: (_facts: PasswordField) =>
			'This password contains a part of the name, the email or the product’s name. Choose another one.',
		field: fieldOf,
	},
	password_set_already: { status: 409, text: 'This user is inactive or has a password already' },
	colleagues_full: {
		status: 409,
		text: ({ most }: { most: number }) =>
			`An account has at most ${most} colleagues. Remove one before you invite another.`,
	},
	email_taken: { status: 409, text: 'A user with this email already exists', field: 'email' },
	link_invalid: { status: 400, text: BAD_LINK },
})
