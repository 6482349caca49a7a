/** Registered names of MIME types, by other names that programs use. */
const REGISTERED: Record<string, string> = {
	'image/jpg': 'image/jpeg',
	'image/pjpeg': 'image/jpeg',
	'image/x-png': 'image/png',
	'video/3gp': 'video/3gpp',
	'application/x-pdf': 'application/pdf',
}

/** Returns the registered name of a declared MIME type: image/jpeg for image/jpg. */
export function registeredType(declared: string): string {
	return REGISTERED[declared.toLowerCase()] ?? declared
}
