import type { Role } from '#features/auth/contract.ts'

/** Options of the role selects. */
export const roles: { value: Role; label: string }[] = [
	{ value: 'user', label: 'User' },
	{ value: 'admin', label: 'Admin' },
]
