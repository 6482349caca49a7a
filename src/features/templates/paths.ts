export const templatePaths = {
	list: '/user/template/management',
	create: '/user/create/template',
} as const
