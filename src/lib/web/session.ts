const TOKEN = 'token'
const USER = 'user'
const THEME = 'theme'
/** Prefix of the keys of drafts. */
export const DRAFT_PREFIX = 'draft:'

/** Returns the session's token; null when no user is signed in. The signed-in user belongs to the feature auth. */
export function readToken(): string | null {
	return localStorage.getItem(TOKEN)
}

export function readStoredUser(): unknown {
	try {
		return JSON.parse(localStorage.getItem(USER) ?? 'null')
	} catch {
		return null
	}
}

export function storeSession(token: string, user: unknown): void {
	endPushes()
	localStorage.setItem(TOKEN, token)
	storeUser(user)
}

export function storeUser(user: unknown): void {
	localStorage.setItem(USER, JSON.stringify(user))
	for (const listener of listeners) listener()
}

/**
 * Clears all storage except the colour scheme, for shared computers. Calls no listener: the caller redirects to the
 * sign-in page, and until then the screen stays unchanged.
 */
export function clearStorage(): void {
	endPushes()
	const theme = localStorage.getItem(THEME)
	localStorage.clear()
	sessionStorage.clear()
	if (theme) localStorage.setItem(THEME, theme)
}

/** Ends the push subscription, so that the next user of this browser sees no notifications of this one. */
function endPushes(): void {
	void navigator.serviceWorker
		?.getRegistration()
		.then((registration) => registration?.pushManager?.getSubscription())
		.then((subscription) => subscription?.unsubscribe())
		// Service workers are unavailable, as in a private window. The server drops the device together with its session.
		.catch(() => {})
}

/**
 * Clears the session and keeps drafts, since the user has not signed out. Removes item by item, by which other tabs
 * distinguish it from `clearStorage`.
 */
function clearSession(): void {
	for (const storage of [localStorage, sessionStorage])
		for (const key of keysOf(storage)) if (key !== THEME && !key.startsWith(DRAFT_PREFIX)) storage.removeItem(key)
}

export function keysOf(storage: Pick<Storage, 'length' | 'key'>): string[] {
	return Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '')
}

const listeners = new Set<() => void>()

/**
 * Calls `listener` after each change of the stored session, also by another tab. Returns the function that
 * unsubscribes.
 */
export function onSessionChange(listener: () => void): () => void {
	listeners.add(listener)
	const fromOtherTab = ({ key }: StorageEvent) => {
		if (key === null || key === TOKEN || key === USER) listener()
	}
	window.addEventListener('storage', fromOtherTab)
	return () => {
		listeners.delete(listener)
		window.removeEventListener('storage', fromOtherTab)
	}
}

/** Reason for the end of a session. `left`: signed out in another tab. `ended`: expired or revoked on the server. */
export type Departure = 'left' | 'ended'
/** Change of the session by another tab. `replaced`: another user signed in there. */
type OtherTab = Departure | 'replaced'

/** Calls `listener` when another tab ends or replaces this page's session. */
export function onOtherTab(listener: (what: OtherTab) => void): void {
	let shown = storedUserId()
	listeners.add(() => {
		shown = storedUserId()
	})
	window.addEventListener('storage', ({ key }) => {
		if (key !== null && key !== TOKEN && key !== USER) return
		if (!readToken()) return listener(key === null ? 'left' : 'ended')
		const stored = storedUserId()
		// Token and user are stored in two steps.
		if (stored === null || stored === shown) return
		const isFirst = shown === null
		shown = stored
		if (!isFirst) listener('replaced')
	})
}

export function storedUserId(): string | null {
	const user = readToken() ? readStoredUser() : null
	return typeof user === 'object' && user !== null && '_id' in user && typeof user._id === 'string' ? user._id : null
}

let expired: () => void = () => {}

/** Sets the handler for a session that the server rejects, such as a redirect to the sign-in page. */
export function onExpired(handler: () => void): void {
	expired = handler
}

/** Ends the session of `token`, unless the browser has a newer token. */
export function expireSession(token: string | null): void {
	if (readToken() !== token) return
	clearSession()
	expired()
}
