import { newRequestId } from '#lib/request-id.ts'
import { likeForm } from '#lib/web/drafts/draft-store.ts'

/** Names the draft and the dialog of a template to a number. */
export const TEMPLATE_DRAFT = 'chat-template'

export interface TemplateMessage {
	templateId: string
	variables: Record<string, string>
	/** Of this message, so that it is sent and paid for once, also when it is sent again after a crash. */
	requestId: string
	/** When it was last changed, in milliseconds since 1970. */
	changedAt: number
}

/** A draft that is sent later than this is another message. */
const SAME_MESSAGE_MS = 60 * 60 * 1000

/** A changed message is another one: only a repeated attempt at the same may be taken for it. */
export function changed(fields: Pick<TemplateMessage, 'templateId' | 'variables'>): TemplateMessage {
	return { ...fields, requestId: newRequestId(), changedAt: Date.now() }
}

export function readTemplateDraft(kept: unknown, initial: TemplateMessage): TemplateMessage | null {
	const draft = likeForm(kept, initial)
	if (!draft || Object.values(draft.variables).some((value) => typeof value !== 'string')) return null
	return initial.changedAt - draft.changedAt < SAME_MESSAGE_MS ? draft : changed(draft)
}
