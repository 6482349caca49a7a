export const dashboardPaths = {
	admin: '/admin/dashboard',
	user: '/user/dashboard',
} as const
