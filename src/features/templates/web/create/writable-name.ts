/** A template's name as Meta takes it: spaces and dashes become underscores, what cannot be written goes. */
export function writableName(typed: string): string {
	return typed
		.toLowerCase()
		.replaceAll(/[\s-]/g, '_')
		.replaceAll(/[^a-z0-9_]/g, '')
}
