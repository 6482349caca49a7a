import type { Control } from '../control.ts'
import type { NetworkState } from '../network-state.ts'
import { review } from '../network/review.ts'
import {
	announceCategory,
	announceCorrectCategory,
	announceQuality,
	announceStatus,
} from '../network/template-changes.ts'
import type { Template, TemplateStatus } from '../state/templates.ts'
import { accountWith, templateBy } from './lookup.ts'

type TemplateControl = Pick<
	Control,
	| 'addTemplate'
	| 'reviewTemplate'
	| 'pauseTemplate'
	| 'disableTemplate'
	| 'unpauseTemplate'
	| 'recategoriseTemplate'
	| 'setTemplateQuality'
	| 'setReviewDelay'
>

const DAY_MS = 24 * 60 * 60 * 1_000
const QUALITY_PAUSE = {
	title: 'FIRST_PAUSE',
	description: 'This template has been paused for 3 hours due to low quality.',
}
const UNPAUSE = { title: 'UNPAUSE', description: 'This template can be sent again.' }

export function templateControl(state: NetworkState): TemplateControl {
	const change = (template: Template, to: Partial<Template>): void => {
		Object.assign(template, to, { updated_at: Date.now() })
		state.templates.save(template)
	}
	const setStatus = (template: Template, status: TemplateStatus, more: Record<string, unknown>): void => {
		change(template, { status, review_at: null })
		announceStatus(state, template, { event: status, ...more })
	}
	return {
		async addTemplate(seed) {
			accountWith(state, seed.waba_id)
			const known = state.templates.inLanguage(seed.waba_id, seed.name, seed.language ?? 'en_US')
			const template = known ?? seeded(state, seed)
			if (!known) state.templates.save(template)
			return { id: template.id }
		},
		async reviewTemplate({ approved, reason, ...ref }) {
			review(state, templateBy(state, ref), reason === undefined ? { approved } : { approved, reason })
		},
		async pauseTemplate(ref) {
			setStatus(templateBy(state, ref), 'PAUSED', { reason: 'NONE', other_info: QUALITY_PAUSE })
		},
		async disableTemplate(ref) {
			const disable_info = { disable_date: Math.floor(Date.now() / 1_000) }
			setStatus(templateBy(state, ref), 'DISABLED', { reason: 'NONE', disable_info })
		},
		async unpauseTemplate(ref) {
			setStatus(templateBy(state, ref), 'APPROVED', { reason: 'NONE', other_info: UNPAUSE })
		},
		async recategoriseTemplate({ category, impending = false, detected = false, ...ref }) {
			const template = templateBy(state, ref)
			const current = template.category
			if (detected) {
				change(template, { correct_category: category })
				return announceCorrectCategory(state, template)
			}
			if (impending) {
				change(template, { correct_category: category })
				const category_update_timestamp = Math.floor((Date.now() + DAY_MS) / 1_000)
				const notice = { new_category: current, correct_category: category, category_update_timestamp }
				return announceCategory(state, template, notice)
			}
			change(template, { category, previous_category: current, correct_category: null })
			announceCategory(state, template, { previous_category: current, new_category: category })
		},
		async setTemplateQuality({ quality, ...ref }) {
			const template = templateBy(state, ref)
			const previous = template.quality
			change(template, { quality, quality_at: Date.now() })
			announceQuality(state, template, previous)
		},
		async setReviewDelay({ ms }) {
			state.reviewDelayMs = ms
		},
	}
}

function seeded(state: NetworkState, seed: Parameters<Control['addTemplate']>[0]): Template {
	const now = Date.now()
	return {
		id: state.templates.newId(),
		waba_id: seed.waba_id,
		name: seed.name,
		language: seed.language ?? 'en_US',
		status: seed.status ?? 'APPROVED',
		category: seed.category ?? 'MARKETING',
		previous_category: null,
		correct_category: null,
		components: seed.components,
		parameter_format: seed.parameter_format ?? 'POSITIONAL',
		quality: seed.quality ?? 'GREEN',
		quality_at: now,
		rejected_reason: seed.status === 'REJECTED' ? 'INVALID_FORMAT' : 'NONE',
		message_send_ttl_seconds: null,
		updated_at: now,
		edited_at: [],
		review_at: null,
	}
}
