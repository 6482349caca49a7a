import type { Template } from '../state/templates.ts'
import type { World } from '../world.ts'
import { templateChange } from './template-changes.ts'

const FORMAT_ADVICE = {
	reason: 'The template is not in a format that can be approved.',
	recommendation: 'Check variables, punctuation and wording, then submit it again.',
}

/** Approves or rejects a pending template when its review is due. */
export function scheduleReview(world: World, { id, review_at }: Template): void {
	if (review_at === null) return
	world.wheel.run(Math.max(0, review_at - Date.now()), () => {
		const template = world.templates.find(id)
		if (template?.status === 'PENDING' && template.review_at === review_at) review(world, template, verdictOn(template))
	})
}

export interface Verdict {
	approved: boolean
	reason?: string
}

function verdictOn({ name }: Template): Verdict {
	return name.includes('reject') ? { approved: false, reason: 'INVALID_FORMAT' } : { approved: true }
}

export function review(world: World, template: Template, { approved, reason = 'INVALID_FORMAT' }: Verdict): void {
	template.status = approved ? 'APPROVED' : 'REJECTED'
	template.rejected_reason = approved ? 'NONE' : reason
	template.review_at = null
	template.updated_at = Date.now()
	world.templates.save(template)
	templateChange(world, template, {
		event: template.status,
		reason: template.rejected_reason,
		...(approved ? {} : { rejection_info: FORMAT_ADVICE }),
	})
}

/** After a restart: reviews that a killed process had not come to. */
export function resumeReviews(world: World): void {
	for (const template of world.templates.all()) {
		if (template.status === 'PENDING') scheduleReview(world, template)
	}
}
