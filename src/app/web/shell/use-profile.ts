import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Role } from '#features/auth/contract.ts'
import { rememberUser, useCurrentUser } from '#features/auth/web/parts.tsx'
import { users } from '#features/users/contract.ts'
import { query } from '#lib/web/query.ts'

export interface Profile {
	role: Role
	name: string
	email: string
}

/** Returns the signed-in user: first from this browser's session, then from the server. */
export function useProfile(): Profile {
	const remembered = useCurrentUser()
	const { data } = useQuery(query(users.me))
	useEffect(() => {
		if (data) rememberUser(data)
	}, [data])
	return data ?? remembered ?? { role: 'user', name: '', email: '' }
}
