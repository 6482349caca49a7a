export const authPaths = {
	login: '/login',
	forgot: '/forgot',
	reset: '/reset',
	secondFactor: '/second-factor',
	/** Followed by `/undo` or `/agree`. */
	emailChange: '/email-change',
	auditTrail: '/admin/audit',
} as const
