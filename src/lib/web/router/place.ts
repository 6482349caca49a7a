/** Address of an open page, with what the history keeps for it. */
export interface Place {
	pathname: string
	/** Query with its question mark, or empty. */
	search: string
	/** Fragment with its number sign, or empty. */
	hash: string
	/** Value that the navigation passed on; null without one. */
	state: unknown
	/** Key of the history's entry; `default` for a page that was loaded by its address. */
	key: string
}

/** Address, also one relative to the current page (`?page=2`), or parts that replace the query and the fragment. */
export type Destination = string | { search?: string; hash?: string }

/** Returns the absolute URL of a destination. Throws TypeError for an address that no browser can open. */
export function urlOf(to: Destination, from: URL): URL {
	const url = new URL(from)
	url.search = ''
	url.hash = ''
	if (typeof to === 'string') return new URL(to, url)
	url.search = to.search ?? ''
	url.hash = to.hash ?? ''
	return url
}

export function placeOf({ pathname, search, hash }: URL, state: unknown, key: string): Place {
	// Browsers take two slashes at the start for the name of another host.
	return { pathname: pathname.replace(/^\/+/, '/'), search, hash, state, key }
}

export function addressOf({ pathname, search, hash }: Pick<Place, 'pathname' | 'search' | 'hash'>): string {
	return pathname + search + hash
}
