/** Turns advice written for a user ("Ask your administrator to save a new token.") into advice for the administrator. */
export function adviceForAdmin(text: string): string {
	return text
		.replaceAll(
			/(?:Please )?[Aa]sk your administrator to ([^.]{1,200})\./g,
			(_, what: string) => `${capitalized(what)}.`,
		)
		.replace(', or ask your administrator.', '.')
		.replaceAll(/ ?(?:Please )?[Cc]ontact your administrator\./g, '')
		.replaceAll(/, then resume\./g, '. The user can then resume the campaigns.')
}

function capitalized(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1)
}
