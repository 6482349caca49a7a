interface Sendable {
	number: string
	text: string
	file: unknown
}

/** Why nothing is sent yet, or null. */
export function draftError({ number, text, file }: Sendable): string | null {
	if (!text.trim() && !file) return 'Please enter a message or select a file'
	return number ? null : 'Please select a contact'
}
