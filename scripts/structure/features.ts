/** In this order: a feature may use those named before it. A new feature takes its place here. */
export const FEATURES = [
	'auth',
	'notifications',
	'users',
	'wallet',
	'pricing',
	'whatsapp',
	'contacts',
	'templates',
	'campaigns',
	'chats',
]

/** What both sides of a feature share beside its contract, rules and paths: its screens' folders reach it by this name. */
export const SHARED_FILES: Record<string, string[]> = {
	templates: ['button-rules.ts', 'hints.ts', 'languages.ts', 'limits.ts', 'placeholders.ts'],
}
