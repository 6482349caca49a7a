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
	'messages',
	'campaigns',
	'chats',
]

/**
 * A feature's public files, which later features may import, besides contract.ts, rules.ts, paths.ts, server/service.ts and
 * web/parts.tsx. All others are its own; nothing is exported again to become public.
 */
export const PUBLIC_FILES: Record<string, string[]> = {
	auth: [
		'server/backoff.ts',
		'server/email-change-queries.ts',
		'server/email-change-service.ts',
		'server/password-service.ts',
		'server/second-factor-queries.ts',
		'server/second-factor-service.ts',
	],
	users: ['web/manage/user-table.tsx'],
	wallet: ['refund-contract.ts'],
	whatsapp: [
		'server/cloud-api-media.ts',
		'server/cloud-api-templates.ts',
		'server/cloud-api.ts',
		'server/codes/codes.ts',
		'server/meta-check.ts',
		'server/queries.ts',
		'server/sample-download.ts',
	],
	contacts: ['columns.ts', 'form-fields.ts', 'list-contract.ts', 'numbers.ts', 'people-file.ts'],
	templates: [
		'button-rules.ts',
		'hints.ts',
		'languages.ts',
		'limits.ts',
		'placeholders.ts',
		'rejection-text.ts',
		'server/header-file.ts',
		'server/queries.ts',
		'values.ts',
		'web/phone/chat-markup.tsx',
		'web/status-badges.tsx',
	],
	messages: [
		'server/failure-words.ts',
		'server/message-id.ts',
		'server/price.ts',
		'server/recipients.ts',
		'server/render.ts',
		'server/reply-classifier.ts',
		'server/send.ts',
		'server/sender-queries.ts',
		'server/status-change.ts',
		'server/status-report.ts',
	],
	campaigns: [
		'form-fields.ts',
		'order-checks.ts',
		'preflight-contract.ts',
		'report-contract.ts',
		'server/creation/create.ts',
		'server/creation/single-message.ts',
		'server/replies.ts',
		'server/sending/auto-pause.ts',
	],
}
