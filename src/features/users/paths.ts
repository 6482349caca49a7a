export const userPaths = {
	create: '/admin/create/user',
	manage: '/admin/manage/users',
	profile: '/profile',
	editProfile: '/profile?edit=1',
} as const

/** Returns the path of Manage Users with a search by name or email. */
export function userSearchPath(search: string): string {
	return `${userPaths.manage}?${new URLSearchParams({ search }).toString()}`
}
