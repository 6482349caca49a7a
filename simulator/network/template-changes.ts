import type { NetworkState } from '../network-state.ts'
import type { Template } from '../state/templates.ts'
import { change } from './webhooks/change.ts'

/** Sends the webhook of a template's new status. */
export function announceStatus(state: NetworkState, template: Template, more: Record<string, unknown>): void {
	notifyReceiver(state, template, {
		field: 'message_template_status_update',
		value: { reason: null, message_template_category: template.category, ...more },
	})
}

/** Sends the webhook of a template's new quality. */
export function announceQuality(state: NetworkState, template: Template, previous: string): void {
	const value = { previous_quality_score: previous, new_quality_score: template.quality }
	notifyReceiver(state, template, { field: 'message_template_quality_update', value })
}

/** Sends the webhook of a template's new category. */
export function announceCategory(state: NetworkState, template: Template, value: Record<string, unknown>): void {
	notifyReceiver(state, template, { field: 'template_category_update', value })
}

/** Sends the webhook with which Meta announces that it considers another category right. */
export function announceCorrectCategory(state: NetworkState, template: Template): void {
	const { category, correct_category } = template
	notifyReceiver(state, template, {
		field: 'template_correct_category_detection',
		value: { category, correct_category },
	})
}

interface TemplateUpdate {
	field: string
	value: Record<string, unknown>
}

function notifyReceiver(state: NetworkState, template: Template, { field, value }: TemplateUpdate): void {
	const account = state.directory.accounts.get(template.waba_id)
	if (!account) return
	const whole = {
		...value,
		message_template_id: template.id,
		message_template_name: template.name,
		message_template_language: template.language,
	}
	// The id exceeds the safe integers and Meta sends it as a number, so it is inserted as text.
	const text = change(field, whole).replace(/("message_template_id":)"(\d+)"/, '$1$2')
	state.traffic.announce(account, text, { timed: true })
}
