const TOKEN = 'token'
const USER = 'user'
const THEME = 'theme'
/** Prefix of the keys of drafts. */
export const DRAFT_PREFIX = 'draft:'

/** The session's token. Who the user is belongs to the feature auth. */
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
 * Clears all storage but the colour scheme, as a shared computer must keep nothing.
 * Calls no listener: the caller redirects to the sign-in page, and until then the screen stays as it is.
 */
export function clearStorage(): void {
	endPushes()
	const theme = localStorage.getItem(THEME)
	localStorage.clear()
	sessionStorage.clear()
	if (theme) localStorage.setItem(THEME, theme)
}

/** Push notifications are switched on by a session, and shown to nobody who uses this browser after it. */
function endPushes(): void {
	void navigator.serviceWorker
		?.getRegistration()
		.then((registration) => registration?.pushManager?.getSubscription())
		.then((subscription) => subscription?.unsubscribe())
		// Not to be had here, as in a private window; the server forgets the device with its session.
		.catch(() => {})
}

/** As `clearStorage`, but keeps drafts, as their owner has not signed out. Item by item, by which other tabs tell the two apart. */
function clearSession(): void {
	for (const storage of [localStorage, sessionStorage])
		for (const key of keysOf(storage)) if (key !== THEME && !key.startsWith(DRAFT_PREFIX)) storage.removeItem(key)
}

export function keysOf(storage: Pick<Storage, 'length' | 'key'>): string[] {
	return Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '')
}

const listeners = new Set<() => void>()

/** Called after each change of the stored session, also one made in another tab. */
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

/** How a session ended: `left`, signed out in another tab; `ended`, expired or revoked on the server. */
export type Departure = 'left' | 'ended'
/** What another tab did to the session. `replaced`: another person signed in there. */
type OtherTab = Departure | 'replaced'

/** Calls `listener` when another tab ends or replaces the session of this page. */
export function onOtherTab(listener: (what: OtherTab) => void): void {
	let shown = storedUserId()
	listeners.add(() => {
		shown = storedUserId()
	})
	window.addEventListener('storage', ({ key }) => {
		if (key !== null && key !== TOKEN && key !== USER) return
		if (!readToken()) return listener(key === null ? 'left' : 'ended')
		const stored = storedUserId()
		// Token and user come one after the other.
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

/** Sets what happens when the server rejects the session, such as a redirect to the sign-in page. */
export function onExpired(handler: () => void): void {
	expired = handler
}

/** Ends the session of `token`, unless the browser has stored another token since. */
export function expireSession(token: string | null): void {
	if (readToken() !== token) return
	clearSession()
	expired()
}
