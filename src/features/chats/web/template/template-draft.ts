import { HOUR_MS } from '#lib/durations.ts'
import { newRequestId } from '#lib/request-id.ts'
import { likeForm } from '#lib/web/drafts/draft-store.ts'

/** Key of the draft and of its dialog. */
export const TEMPLATE_DRAFT = 'chat-template'

export interface TemplateMessage {
	templateId: string
	variables: Record<string, string>
	/** Idempotency key: the message is sent and charged once, even if it is submitted again after a crash. */
	requestId: string
	/** Time of the last change in milliseconds since 1970. */
	changedAt: number
}

/** Milliseconds after which a draft counts as a new message and gets a new key. */
const SAME_MESSAGE_MS = HOUR_MS

/** Returns the changed fields with a new idempotency key, because a changed message is a new one. */
export function changed(fields: Pick<TemplateMessage, 'templateId' | 'variables'>): TemplateMessage {
	return { ...fields, requestId: newRequestId(), changedAt: Date.now() }
}

export function readTemplateDraft(kept: unknown, initial: TemplateMessage): TemplateMessage | null {
	const draft = likeForm(kept, initial)
	if (!draft || Object.values(draft.variables).some((value) => typeof value !== 'string')) return null
	return initial.changedAt - draft.changedAt < SAME_MESSAGE_MS ? draft : changed(draft)
}
