export const authPaths = {
	login: '/login',
	forgot: '/forgot',
	reset: '/reset',
	secondFactor: '/second-factor',
	/** Prefix of the pages `/undo` and `/agree`. */
	emailChange: '/email-change',
	auditTrail: '/admin/audit',
} as const
