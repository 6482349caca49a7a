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

/** What a feature shares beside its contract, rules and paths: both its sides and other features reach it by this name. */
export const SHARED_FILES: Record<string, string[]> = {
	contacts: ['csv-columns.ts', 'list-contract.ts'],
	templates: ['button-rules.ts', 'hints.ts', 'languages.ts', 'limits.ts', 'placeholders.ts'],
	campaigns: ['failures.ts', 'form-fields.ts', 'preflight-contract.ts', 'report-contract.ts'],
}
