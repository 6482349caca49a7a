const TOKEN = 'token'
const USER = 'user'
const THEME = 'theme'

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

let expired: () => void = () => {}

/** The application says once where a visitor goes whose session the server no longer knows. */
export function onExpired(handler: () => void): void {
	expired = handler
}

export function expireSession(): void {
	clearStorage()
	expired()
}
