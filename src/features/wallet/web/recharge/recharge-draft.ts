import { HOUR_MS } from '#lib/durations.ts'
import { likeForm } from '#lib/web/drafts/draft-store.ts'

interface RechargeFields extends Record<string, unknown> {
	amount: string
	notes: string
	/** Idempotency key of this form. A form that is sent again after a crash adds its money once. */
	requestId: string
	/** Time of opening the form, in milliseconds since 1970. */
	openedAt: number
}

/** Age in milliseconds above which a restored draft counts as another payment. */
const SAME_PAYMENT_MS = HOUR_MS

/**
 * Returns the typed fields of a saved draft, or null. An older draft gets a new request id, so that it is a new
 * recharge even with the same amount.
 */
export function readRechargeDraft(kept: unknown, initial: RechargeFields): RechargeFields | null {
	const draft = likeForm(kept, initial)
	const isDated = typeof kept === 'object' && kept !== null && 'openedAt' in kept
	if (!draft || (isDated && initial.openedAt - draft.openedAt < SAME_PAYMENT_MS)) return draft
	return { ...draft, requestId: initial.requestId, openedAt: initial.openedAt }
}
