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
