import type { Component } from '#features/templates/contract.ts'
import { isRecord } from '#features/whatsapp/server/graph-client.ts'
import { cleanTexts } from '#lib/clean-texts.ts'

/** Keys of the webhook by the kind of component whose text they hold. */
const TEXT_KEYS: Record<string, string> = {
	HEADER: 'message_template_title',
	BODY: 'message_template_element',
	FOOTER: 'message_template_footer',
}

/**
 * A template's components after message_template_components_update, which names the new texts and buttons alone: what it
 * does not name, such as examples and a header's file, stays as it was.
 */
export function updatedComponents(components: Component[], update: Record<string, unknown>): Component[] {
	const value = cleanTexts(update) as Record<string, unknown>
	const buttons = buttonsIn(value)
	const updated = components.map((component): Component => {
		const type = component.type.toUpperCase()
		if (type === 'BUTTONS' && buttons) return { ...component, buttons: mergeButtons(component, buttons) }
		const text = value[TEXT_KEYS[type] ?? '']
		// A header of a file has no text; its title is a file's, if it comes at all.
		const mayHaveText = type !== 'HEADER' || (component.format ?? 'TEXT').toUpperCase() === 'TEXT'
		return typeof text === 'string' && text !== '' && mayHaveText ? { ...component, text } : component
	})
	const footer = value['message_template_footer']
	const isNew = (type: string) => !components.some((component) => component.type.toUpperCase() === type)
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

/** A button's example stays as long as the button is of the same kind. */
function mergeButtons({ buttons: before = [] }: Component, buttons: Buttons): Buttons {
	return buttons.map((button, index) => {
		const same = before[index]
		return same?.type === button.type ? { ...same, ...button } : button
	})
}
