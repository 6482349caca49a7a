/** Begins the key under which the people of a WABA are counted while its portfolio is unknown. */
export const WABA_PREFIX = 'waba:'

/** Returns true for the key of a WABA. */
export function isOfWaba(key: string): boolean {
	return key.startsWith(WABA_PREFIX)
}

const place = (key: string) => `${isOfWaba(key) ? 0 : 1}${key}`

/** Returns the keys in the order in which every transaction locks them: those of WABAs first, then portfolios, by name. */
export function inLockOrder(keys: readonly string[]): string[] {
	return [...new Set(keys)].toSorted((a, b) => (place(a) < place(b) ? -1 : 1))
}
