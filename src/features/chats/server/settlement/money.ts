import { OWN_ERRORS } from '#features/campaigns/rules.ts'
import { post, type Refunds } from '#features/wallet/server/service.ts'
import type { OwnerId, Sql } from '#lib/server/db.ts'
import type { StoredMessage } from './settle-queries.ts'

/** One step of a message from one status to the next. */
export interface Step {
	was: StoredMessage
	now: StoredMessage
	isReport: boolean
	/** Null where nothing can be given back. */
	refunds: Refunds | null
}

/** Holds the price of a new message. False when the wallet cannot pay it: then nothing has been written. */
export async function holdPrice(
	sql: Sql,
	owner: OwnerId,
	{ id, pricePaise }: { id: number; pricePaise: number },
): Promise<boolean> {
	if (pricePaise === 0) return true
	const held = await post(sql, owner, {
		kind: 'hold',
		reference: `hold:chat:${id}`,
		paise: pricePaise,
		messageCount: 1,
	})
	return held !== null
}

/**
 * Posts what a step means for the wallet. A message confirmed only after its money was given back is paid for if the wallet
 * can, and is free if not. Refunds above the account's measure wait for an admin. Returns the paise spent, negative when money came back, and what the message costs from now on.
 */
export async function moveMoney(
	sql: Sql,
	owner: OwnerId,
	{ was, now, isReport, refunds }: Step,
): Promise<{ spentPaise: number; pricePaise: number }> {
	const { id, pricePaise } = was
	if (pricePaise === 0) return { spentPaise: 0, pricePaise }
	const move = (kind: 'hold' | 'capture' | 'release' | 'refund') =>
		post(sql, owner, {
			kind,
			reference: `${kind}:chat:${id}:${was.status}-${now.status}`,
			paise: pricePaise,
			messageCount: 1,
		})
	const must = async (kind: 'capture' | 'release' | 'refund') => {
		if (!(await move(kind))) throw new Error(`the ${kind} of chat message ${id} exceeds what the wallet has`)
	}
	const message = { campaignId: 0, pricePaise }
	const givesBack = () =>
		refunds?.giveBack({ ...message, reason: now.errorCode === OWN_ERRORS.expired.code ? 'silence' : 'reported' }) ??
		true
	const charge = async () => {
		await must('capture')
		refunds?.charge(pricePaise)
		return { spentPaise: pricePaise, pricePaise }
	}
	if (was.status === 'pending') {
		// A report may come before the answer to its message, and be forged.
		if (now.status !== 'failed' || (isReport && !givesBack())) return charge()
		await must('release')
		if (isReport) refunds?.charge(pricePaise)
		return { spentPaise: 0, pricePaise }
	}
	if (now.status === 'failed' && was.status !== 'failed') {
		if (!givesBack()) return { spentPaise: 0, pricePaise }
		await must('refund')
		return { spentPaise: -pricePaise, pricePaise }
	}
	if (was.status !== 'failed' || now.status === 'failed') return { spentPaise: 0, pricePaise }
	if (refunds?.keepCharge(message)) return { spentPaise: 0, pricePaise }
	return (await move('hold')) ? charge() : { spentPaise: 0, pricePaise: 0 }
}
