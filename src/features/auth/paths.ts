export const authPaths = {
	login: '/login',
	forgot: '/forgot',
	reset: '/reset',
	auditTrail: '/admin/audit',
} as const
