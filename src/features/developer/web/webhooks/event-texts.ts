import type { EventType } from '#features/events/rules.ts'

/** Text of each event on the screen. */
export const EVENT_TEXTS: Record<EventType, string> = {
	'message.sent': 'A message was sent',
	'message.delivered': 'A message was delivered',
	'message.read': 'A message was read',
	'message.failed': 'A message failed',
	'message.received': 'A customer wrote',
	'campaign.completed': 'A campaign was completed',
	'campaign.paused': 'A campaign was paused',
	'template.status': 'The status of a template changed',
	'wallet.low': 'The wallet is low',
	'contact.opted_out': 'A customer opted out',
}
