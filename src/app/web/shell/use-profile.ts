import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Role } from '#features/auth/contract.ts'
import { rememberUser, useCurrentUser } from '#features/auth/web/parts.tsx'
import { users } from '#features/users/contract.ts'
import { query } from '#lib/web/query.ts'

/** Who is signed in: what this browser remembers at once, and then what the server says. */
export function useProfile(): { role: Role; name: string; email: string } {
	const remembered = useCurrentUser()
	const { data } = useQuery(query(users.me))
	useEffect(() => {
		if (data) rememberUser(data)
	}, [data])
	return data ?? remembered ?? { role: 'user', name: '', email: '' }
}
