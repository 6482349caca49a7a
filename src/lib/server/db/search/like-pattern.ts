/** Returns the LIKE pattern for texts that contain `text`, with `%`, `_` and backslashes escaped. */
export function containing(text: string): string {
	return `%${text.normalize('NFC').replace(/[\\%_]/g, '\\$&')}%`
}
