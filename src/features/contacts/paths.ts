export const contactPaths = {
	list: '/contact/management',
	upload: '/upload/contact',
	groups: '/user/manage/contact/groups',
} as const

export function groupContactsPath(groupId: string): string {
	return `${contactPaths.list}?group=${groupId}`
}
