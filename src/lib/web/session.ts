const TOKEN = 'token'
const USER = 'user'
const THEME = 'theme'
/** Begins the keys of what was typed and not sent. */
export const DRAFT_PREFIX = 'draft:'

/** What the calls need of the session; who the user is belongs to the sign-in feature. */
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
	localStorage.setItem(TOKEN, token)
	storeUser(user)
}

export function storeUser(user: unknown): void {
	localStorage.setItem(USER, JSON.stringify(user))
	for (const listener of listeners) listener()
}

/**
 * Everything goes, as a shared computer must keep nothing; only the choice of light or dark stays.
 * No listener is called: whoever clears also leads to the sign-in page, and until then the screen stays as it is.
 */
export function clearStorage(): void {
	const theme = localStorage.getItem(THEME)
	localStorage.clear()
	sessionStorage.clear()
	if (theme) localStorage.setItem(THEME, theme)
}

/** As `clearStorage`, but what was typed stays for its owner, who has not asked to leave. Item by item, so that other tabs can tell. */
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

/** How a session came to its end: its person signed out in another tab, or the server no longer knew it. */
export type Departure = 'left' | 'ended'
/** What another tab did to the session. `replaced`: it is another person's now. */
type OtherTab = Departure | 'replaced'

/** Follows what other tabs do to the session that this page was signed in with. */
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

/** The application says once where a visitor goes whose session the server no longer knows. */
export function onExpired(handler: () => void): void {
	expired = handler
}

/** Ends the session of `token`, unless this browser has another one by now. */
export function expireSession(token: string | null): void {
	if (readToken() !== token) return
	clearSession()
	expired()
}
