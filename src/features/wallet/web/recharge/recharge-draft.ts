import { likeForm } from '#lib/web/drafts/draft-store.ts'

interface RechargeFields extends Record<string, unknown> {
	amount: string
	notes: string
	/** Of this form, so that it adds its money once, also when it is sent again after a crash. */
	requestId: string
	/** When this form was opened, in milliseconds since 1970. */
	openedAt: number
}

/** A draft that is sent later than this is another payment. */
const SAME_PAYMENT_MS = 60 * 60 * 1000

/** What was typed. A draft of an earlier day is for a new recharge, even with the amount of one that was made meanwhile. */
export function readRechargeDraft(kept: unknown, initial: RechargeFields): RechargeFields | null {
	const draft = likeForm(kept, initial)
	const isDated = typeof kept === 'object' && kept !== null && 'openedAt' in kept
	if (!draft || (isDated && initial.openedAt - draft.openedAt < SAME_PAYMENT_MS)) return draft
	return { ...draft, requestId: initial.requestId, openedAt: initial.openedAt }
}
