/** Events that an account's own systems can subscribe to. */
export const EVENT_TYPES = [
	'message.sent',
	'message.delivered',
	'message.read',
	'message.failed',
	'message.received',
	'campaign.completed',
	'campaign.paused',
	'template.status',
	'wallet.low',
	'contact.opted_out',
] as const

export type EventType = (typeof EVENT_TYPES)[number]

/** Maximum number of events per delivery, and per row of waiting events. */
export const MAX_EVENTS = 500
