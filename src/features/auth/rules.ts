import type { AdminActionKind } from './contract.ts'

/** How a line of the audit trail begins. */
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
}
