import { useSyncExternalStore } from 'react'
import { admits, type Access, type Seat } from '#lib/endpoint.ts'
import { call } from '#lib/web/api.ts'
import { queryClient } from '#lib/web/query.ts'
import { useNavigate } from '#lib/web/router/hooks.ts'
import { clearStorage, onSessionChange, readStoredUser, readToken, storeUser } from '#lib/web/session.ts'
import { toast } from '#lib/web/toast.tsx'
import { latePart } from '#lib/web/ui/late-part.tsx'
import { auth, type SessionUser } from '../contract.ts'
import { authPaths } from '../paths.ts'

/** Loaded separately with the first field for a new password, because every screen loads this file. */
export const PasswordStrength = latePart(() =>
	import('./password-strength.tsx').then((module) => module.PasswordStrength),
)

let lastText = ''
let lastUser: SessionUser | null = null

/** Returns the signed-in user that this browser has stored; null for a guest, and for the data of an older version. */
export function currentUser(): SessionUser | null {
	const stored = readToken() ? readStoredUser() : null
	const text = JSON.stringify(stored)
	if (text !== lastText) {
		lastText = text
		lastUser = readUser(stored)
	}
	return lastUser
}

const BLANK_USER = {
	_id: '',
	id: '',
	name: '',
	email: '',
	// A browser of the previous release stored no seat, and knew only owners.
	seat: 'owner' as Seat,
	isActive: true,
	walletBalance: 0,
}

/** Returns the stored user, with blanks for missing fields; null unless all others have the types of this version. */
function readUser(stored: unknown): SessionUser | null {
	const { role, ...kept } = (stored ?? {}) as Record<string, unknown>
	if (role !== 'admin' && role !== 'user') return null
	const fields = Object.entries(BLANK_USER).map(([name, blank]) => [name, kept[name] ?? blank, blank] as const)
	if (fields.some(([, value, blank]) => typeof value !== typeof blank)) return null
	return { ...(Object.fromEntries(fields) as typeof BLANK_USER), role }
}

export function useCurrentUser(): SessionUser | null {
	return useSyncExternalStore(onSessionChange, currentUser)
}

/** Returns true when the signed-in person may make a call with this access. */
export function useMay(access: Access): boolean {
	const user = useCurrentUser()
	return user !== null && admits(access, user)
}

/** Stores the user of a profile answer, so that the header shows the current name immediately on the next visit. */
export function rememberUser(user: SessionUser): void {
	const { _id, id, name, email, role, seat, isActive, walletBalance } = user
	storeUser({ _id, id, name, email, role, seat, isActive, walletBalance })
}

/** Returns a function that deletes this browser's session and shows the sign-in page with `message`. */
export function useLeave(): (message: string) => Promise<void> {
	const navigate = useNavigate()
	return async (message) => {
		clearStorage()
		await navigate(authPaths.login, { replace: true })
		// Clears the cache after navigating, because the screens before would fetch their data again.
		queryClient.clear()
		toast.success(message)
	}
}

/**
 * Returns a function that ends the session on the server and in this browser. The browser leaves after two seconds even
 * without an answer of the server.
 */
export function useLogout(): () => Promise<void> {
	const leave = useLeave()
	return async () => {
		await Promise.race([call(auth.logout).catch(() => {}), new Promise((resolve) => setTimeout(resolve, 2000))])
		await leave('Logged out successfully')
	}
}
