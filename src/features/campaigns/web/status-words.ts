import type { MessageStatus } from '#features/delivery/rules.ts'

/** The words for message statuses, in the order in which screens list them. */
export const STATUS_WORDS: readonly { status: MessageStatus; word: string }[] = [
	{ status: 'sent', word: 'Sent' },
	{ status: 'delivered', word: 'Delivered' },
	{ status: 'read', word: 'Read' },
	{ status: 'failed', word: 'Failed' },
	{ status: 'pending', word: 'Pending' },
]
