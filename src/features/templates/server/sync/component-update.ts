import type { Component } from '#features/templates/contract.ts'
import { findComponent } from '#features/templates/values.ts'
import { isRecord } from '#features/whatsapp/server/graph-client.ts'
import { cleanTexts } from '#lib/text/clean-texts.ts'

/** Keys of the webhook with the text of each kind of component. */
const TEXT_KEYS: Record<string, string> = {
	HEADER: 'message_template_title',
	BODY: 'message_template_element',
	FOOTER: 'message_template_footer',
}

/**
 * Returns a template's components after message_template_components_update. The webhook contains only texts and
 * buttons; everything else, such as examples and a header's file, is kept.
 */
export function updatedComponents(components: Component[], update: Record<string, unknown>): Component[] {
	const value = cleanTexts(update) as Record<string, unknown>
	const buttons = buttonsIn(value)
	const updated = components.map((component): Component => {
		const type = component.type.toUpperCase()
		if (type === 'BUTTONS' && buttons) return { ...component, buttons: mergeButtons(component, buttons) }
		const text = value[TEXT_KEYS[type] ?? '']
		// A file header has no text, so a title in the webhook is ignored.
		const mayHaveText = type !== 'HEADER' || (component.format ?? 'TEXT').toUpperCase() === 'TEXT'
		return typeof text === 'string' && text !== '' && mayHaveText ? { ...component, text } : component
	})
	const footer = value['message_template_footer']
	// The buttons and footers of a carousel belong to its cards, which the webhook does not name.
	const hasCards = findComponent(components, 'CAROUSEL') !== undefined
	const isNew = (type: string) => !hasCards && findComponent(components, type) === undefined
	return [
		...updated,
		...(typeof footer === 'string' && footer !== '' && isNew('FOOTER') ? [{ type: 'FOOTER', text: footer }] : []),
		...(buttons && isNew('BUTTONS') ? [{ type: 'BUTTONS', buttons }] : []),
	]
}

type Buttons = NonNullable<Component['buttons']>

function buttonsIn(value: Record<string, unknown>): Buttons | null {
	const list = value['message_template_buttons']
	if (!Array.isArray(list)) return null
	const buttons = list.filter(isRecord).flatMap((button) => {
		const type = button['message_template_button_type']
		if (typeof type !== 'string') return []
		const named = ['text', 'url', 'phone_number'].flatMap((key) => {
			const part = button[`message_template_button_${key}`]
			return typeof part === 'string' ? [[key, part] as const] : []
		})
		return [{ type, ...Object.fromEntries(named) }]
	})
	return buttons.length > 0 ? buttons : null
}

/** Merges the new buttons. A button keeps its example while its type is unchanged. */
function mergeButtons({ buttons: before = [] }: Component, buttons: Buttons): Buttons {
	return buttons.map((button, index) => {
		const same = before[index]
		return same?.type === button.type ? { ...same, ...button } : button
	})
}
