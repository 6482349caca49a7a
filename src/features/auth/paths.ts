export const authPaths = {
	login: '/login',
	forgot: '/forgot',
	reset: '/reset',
	agreeEmail: '/email-change/agree',
	undoEmail: '/email-change/undo',
	auditTrail: '/admin/audit',
} as const
