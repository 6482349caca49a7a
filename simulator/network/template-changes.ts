import type { Template } from '../state/templates.ts'
import type { World } from '../world.ts'
import { change } from './change.ts'

/** Tells the receiver that a template's status is another now. */
export function templateChange(world: World, template: Template, more: Record<string, unknown>): void {
	tell(world, template, {
		field: 'message_template_status_update',
		value: { reason: null, message_template_category: template.category, ...more },
	})
}

export function qualityChange(world: World, template: Template, previous: string): void {
	const value = { previous_quality_score: previous, new_quality_score: template.quality }
	tell(world, template, { field: 'message_template_quality_update', value })
}

export function categoryChange(world: World, template: Template, value: Record<string, unknown>): void {
	tell(world, template, { field: 'template_category_update', value })
}

interface Told {
	field: string
	value: Record<string, unknown>
}

function tell(world: World, template: Template, { field, value }: Told): void {
	const account = world.directory.accounts.get(template.waba_id)
	if (!account) return
	const whole = {
		...value,
		message_template_id: template.id,
		message_template_name: template.name,
		message_template_language: template.language,
	}
	// The id goes out as a number, although JavaScript cannot hold one of that size: so it is put in as text.
	const text = change(field, whole).replace(/("message_template_id":)"(\d+)"/, '$1$2')
	world.traffic.announce(account, text, true)
}
