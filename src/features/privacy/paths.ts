export const privacyPath = '/contact/privacy'

/** With what is held of this number. */
export function personPath(number: string): string {
	return `${privacyPath}?${new URLSearchParams({ search: number }).toString()}`
}
