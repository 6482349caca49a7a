export const templatePaths = {
	list: '/user/template/management',
	create: '/user/create/template',
} as const

export function templateSearchPath(search: string): string {
	return `${templatePaths.list}?${new URLSearchParams({ search }).toString()}`
}
