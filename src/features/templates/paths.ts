export const templatePaths = {
	list: '/user/template/management',
	create: '/user/create/template',
	/** Create Template with its ready texts open. */
	gallery: '/user/create/template?gallery=1',
} as const

export function templateSearchPath(search: string): string {
	return `${templatePaths.list}?${new URLSearchParams({ search }).toString()}`
}

/** Returns the path of Create Template, prefilled from this template. */
export function duplicateTemplatePath(id: string): string {
	return `${templatePaths.create}?from=${id}`
}
