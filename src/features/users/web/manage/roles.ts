import type { Role } from '#features/auth/contract.ts'

/** The roles to choose from. */
export const roles: { value: Role; label: string }[] = [
	{ value: 'user', label: 'User' },
	{ value: 'admin', label: 'Admin' },
]
