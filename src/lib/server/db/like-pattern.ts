/** The LIKE pattern for texts that contain `text`, whose own `%`, `_` and backslashes are escaped. */
export function containing(text: string): string {
	return `%${text.normalize('NFC').replace(/[\\%_]/g, '\\$&')}%`
}
