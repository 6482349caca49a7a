import { AdminActionKind, SignInOutcome, type AccountEvent } from './contract.ts'

/** How a line of the audit trail begins. What people do to their own account says so. */
export const ADMIN_ACTION_TEXTS: Record<AdminActionKind, string> = {
	'user-created': 'Created user',
	'user-edited': 'Edited user',
	'user-activated': 'Activated user',
	'user-deactivated': 'Deactivated user',
	'user-deleted': 'Deleted user',
	'credentials-saved': 'Saved credentials',
	'recharge-added': 'Added recharge',
	'prices-changed': 'Changed prices',
	'webhook-replayed': 'Replayed webhook',
	'email-changed': 'Changed own email',
	'email-confirmed': 'Confirmed new email by link',
	'email-undone': 'Undid change of email by link',
	'password-changed': 'Changed own password',
	'password-reset': 'Reset own password by link',
}

/** What people read about their own account. */
export const ACCOUNT_EVENT_TEXTS: Record<AccountEvent['kind'], string> = {
	'signed-in': 'Signed in',
	'wrong-password': 'Tried to sign in with a wrong password',
	inactive: 'Tried to sign in while the account was inactive',
	'email-changed': 'Email changed',
	'email-confirmed': 'New email confirmed by a mailed link',
	'email-undone': 'Change of email undone by a mailed link',
	'password-changed': 'Password changed',
	'password-reset': 'Password reset by a mailed link',
	'user-edited': 'Account edited by an administrator',
}

export function isFailedSignIn(kind: AccountEvent['kind']): boolean {
	return kind !== 'signed-in' && SignInOutcome.safeParse(kind).success
}

/** The actions whose words contain this text, in any letter case. */
export function actionsNamed(text: string): AdminActionKind[] {
	const wanted = text.toLowerCase()
	return AdminActionKind.options.filter((action) => ADMIN_ACTION_TEXTS[action].toLowerCase().includes(wanted))
}
