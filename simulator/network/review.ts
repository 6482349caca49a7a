import type { NetworkState } from '../network-state.ts'
import type { Template } from '../state/templates.ts'
import { announceStatus } from './template-changes.ts'

const FORMAT_ADVICE = {
	reason: 'The template is not in a format that can be approved.',
	recommendation: 'Check variables, punctuation and wording, then submit it again.',
}

/** Schedules the approval or rejection of a pending template at its review time. */
export function scheduleReview(state: NetworkState, { id, review_at }: Template): void {
	if (review_at === null) return
	state.wheel.run(Math.max(0, review_at - Date.now()), () => {
		const template = state.templates.find(id)
		if (template?.status === 'PENDING' && template.review_at === review_at) review(state, template, verdictOn(template))
	})
}

export interface Verdict {
	approved: boolean
	reason?: string
}

function verdictOn({ name }: Template): Verdict {
	return name.includes('reject') ? { approved: false, reason: 'INVALID_FORMAT' } : { approved: true }
}

export function review(
	state: NetworkState,
	template: Template,
	{ approved, reason = 'INVALID_FORMAT' }: Verdict,
): void {
	template.status = approved ? 'APPROVED' : 'REJECTED'
	template.rejected_reason = approved ? 'NONE' : reason
	template.review_at = null
	template.updated_at = Date.now()
	state.templates.save(template)
	announceStatus(state, template, {
		event: template.status,
		reason: template.rejected_reason,
		...(approved ? {} : { rejection_info: FORMAT_ADVICE }),
	})
}

/** Schedules the reviews that were pending before a restart. */
export function resumeReviews(state: NetworkState): void {
	for (const template of state.templates.all()) {
		if (template.status === 'PENDING') scheduleReview(state, template)
	}
}
