/** Turns typed text into a template name that Meta accepts: spaces and dashes become underscores, other characters are dropped. */
export function writableName(typed: string): string {
	return typed
		.toLowerCase()
		.replaceAll(/[\s-]/g, '_')
		.replaceAll(/[^a-z0-9_]/g, '')
}
