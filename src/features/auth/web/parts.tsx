import { useSyncExternalStore } from 'react'
import { useNavigate } from 'react-router'
import * as z from 'zod/mini'
import { call } from '#lib/web/api.ts'
import { queryClient } from '#lib/web/query.ts'
import { clearStorage, onSessionChange, readStoredUser, readToken, storeUser } from '#lib/web/session.ts'
import { toast } from '#lib/web/toast.tsx'
import { latePart } from '#lib/web/ui/late-part.tsx'
import { auth, SessionUser } from '../contract.ts'
import { authPaths } from '../paths.ts'

/** Loaded with a field for a new password, as this file is loaded by all screens. */
export const PasswordStrength = latePart(() =>
	import('./password-strength.tsx').then((module) => module.PasswordStrength),
)

let lastText = ''
let lastUser: SessionUser | null = null

/** Who is signed in, as this browser keeps it; null for a guest, and for what an older version may have left behind. */
export function currentUser(): SessionUser | null {
	const stored = readToken() ? readStoredUser() : null
	const text = JSON.stringify(stored)
	if (text !== lastText) {
		lastText = text
		const read = z.safeParse(z.partial(SessionUser), stored)
		const known = read.success && stored !== null && read.data.role ? read.data : null
		lastUser = known?.role ? { ...BLANK_USER, ...known, role: known.role } : null
	}
	return lastUser
}

const BLANK_USER = { _id: '', id: '', name: '', email: '', isActive: true, walletBalance: 0 }

export function useCurrentUser(): SessionUser | null {
	return useSyncExternalStore(onSessionChange, currentUser)
}

/** Keeps what the profile answered, so that the name in the header is right on the next visit at once. */
export function rememberUser(user: SessionUser): void {
	const { _id, id, name, email, role, isActive, walletBalance } = user
	storeUser({ _id, id, name, email, role, isActive, walletBalance })
}

/** Forgets the session here and shows the sign-in page, with these words. */
export function useLeave(): (message: string) => Promise<void> {
	const navigate = useNavigate()
	return async (message) => {
		clearStorage()
		await navigate(authPaths.login, { replace: true })
		// Only now, as the screens before would have fetched anew what they show.
		queryClient.clear()
		toast.success(message)
	}
}

/** Ends the session on the server and here. The visitor leaves even when the server does not answer. */
export function useLogout(): () => Promise<void> {
	const leave = useLeave()
	return async () => {
		await Promise.race([call(auth.logout).catch(() => {}), new Promise((resolve) => setTimeout(resolve, 2000))])
		await leave('Logged out successfully')
	}
}
