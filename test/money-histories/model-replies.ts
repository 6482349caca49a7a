import type { MessageStatus } from '#features/delivery/rules.ts'

/** A reply in a chat with a price. */
export interface ModelReply {
	id: number
	pricePaise: number
	status: MessageStatus
	code: number | null
	/** The first pricing type of Meta that says whether it charges the reply. */
	type: string | null
	money: 'held' | 'charged' | 'returned' | 'waived' | 'expired'
	/** True if the chat message was deleted. */
	isErased: boolean
}

/**
 * Moves the money of each reply to the state that its status and pricing require, and returns the available balance. Returned
 * money can pay for late charges.
 */
export function moveReplies(replies: readonly ModelReply[], balance: number): number {
	let available = balance
	const late: ModelReply[] = []
	for (const reply of replies) {
		if (reply.money === 'expired') continue
		const isFree = reply.status === 'failed' || (reply.type !== null && reply.type !== 'regular')
		const isCharged = !isFree && reply.type === 'regular'
		if (isFree && (reply.money === 'held' || reply.money === 'charged')) available += reply.pricePaise
		if (isFree) reply.money = 'returned'
		else if (isCharged && reply.money === 'held') reply.money = 'charged'
		else if (isCharged && reply.money === 'returned') late.push(reply)
	}
	for (const reply of late) {
		reply.money = reply.pricePaise > available ? 'waived' : 'charged'
		if (reply.money === 'charged') available -= reply.pricePaise
	}
	return available
}
