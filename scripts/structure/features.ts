/** A feature may import only the features listed before it. Add a new feature here. */
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

/** Files that both sides of a feature, and other features, may import besides its contract, rules and paths. */
export const SHARED_FILES: Record<string, string[]> = {
	contacts: ['csv-columns.ts', 'form-fields.ts', 'list-contract.ts', 'numbers.ts', 'people-file.ts'],
	templates: ['button-rules.ts', 'hints.ts', 'languages.ts', 'limits.ts', 'placeholders.ts', 'rejection-text.ts'],
	campaigns: ['failures.ts', 'form-fields.ts', 'preflight-contract.ts', 'report-contract.ts'],
	wallet: ['refund-contract.ts'],
}
