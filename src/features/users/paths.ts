export const userPaths = {
	create: '/admin/create/user',
	manage: '/admin/manage/users',
	profile: '/profile',
	settings: '/settings',
} as const

/** Returns the path of Manage Users with a search by name or email. */
export function userSearchPath(search: string): string {
	return `${userPaths.manage}?${new URLSearchParams({ search }).toString()}`
}

/** Parts of the settings, as they are named in the address. */
export type SettingsPart =
	| 'business'
	| 'people'
	| 'activity'
	| 'alerts'
	| 'rules'
	| 'replies'
	| 'security'
	| 'data'
	| 'developers'

/** Returns the path of a part of the settings. */
export function settingsPath(part: SettingsPart): string {
	return `${userPaths.settings}?part=${part}`
}
