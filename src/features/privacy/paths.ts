export const privacyPath = '/contact/privacy'

/** Returns the path of the privacy page with the data of this number. */
export function personPath(number: string): string {
	return `${privacyPath}?${new URLSearchParams({ search: number }).toString()}`
}
