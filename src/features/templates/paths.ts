export const templatePaths = {
	list: '/user/template/management',
	create: '/user/create/template',
} as const

export function templateSearchPath(search: string): string {
	return `${templatePaths.list}?${new URLSearchParams({ search }).toString()}`
}

/** Create Template, filled with what this template holds. */
export function duplicateTemplatePath(id: string): string {
	return `${templatePaths.create}?from=${id}`
}
