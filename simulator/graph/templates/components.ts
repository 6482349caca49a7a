import type { NetworkState } from '#simulator/network-state.ts'
import type { Component, Template, TemplateCategory } from '#simulator/state/templates.ts'
import { type JsonObject, isObject, listAt, objectAt, stringOf } from '../json.ts'
import { variablesIn } from '../placeholders.ts'
import { countCharacters, isPlainText } from '../text.ts'
import { authenticationComponents } from './authentication.ts'
import { checkBodyText } from './body.ts'
import { checkButtons, storedButton } from './buttons.ts'
import { checkHeader } from './header.ts'
import { checkCarousel, checkKind, checkOffer } from './kinds.ts'
import { refusal } from './refusal.ts'

export interface TemplateContext {
	state: NetworkState
	category: TemplateCategory
	format: Template['parameter_format']
}

// Checks by component type. Components of other types are stored without validation.
const CHECKS: Record<string, (component: JsonObject, context: TemplateContext, path: string) => void> = {
	HEADER: checkHeader,
	BODY: (component, context) => checkBodyText(component, context, 1_024),
	FOOTER: checkFooter,
	BUTTONS: (component, _context, path) => checkButtons(component['buttons'], path),
	LIMITED_TIME_OFFER: checkOffer,
	CAROUSEL: checkCarousel,
}

/** Validates and returns the components of a new or edited template. */
export function checkedComponents(value: unknown, context: TemplateContext): Component[] {
	const components = listAt(value, 'components').map((component) => normal(objectAt(component, 'components')))
	const types = components.map((component) => String(component['type']))
	if (new Set(types).size < types.length) throw refusal('components', 'A component is given more than once.')
	if (context.category === 'AUTHENTICATION') return authenticationComponents(components)
	if (!types.includes('BODY')) throw refusal('components', 'component of type BODY is missing.')
	checkKind(components, context)
	for (const [index, component] of components.entries()) {
		CHECKS[String(component['type'])]?.(component, context, `components[${index}]`)
	}
	return components.map(stored)
}

function stored(component: JsonObject): Component {
	const { buttons, cards } = component
	if (Array.isArray(cards)) return { ...component, cards: cards.filter(isObject).map(storedCard) }
	return Array.isArray(buttons) ? { ...component, buttons: buttons.map(storedButton) } : component
}

function storedCard(card: JsonObject): JsonObject {
	return { ...card, components: listAt(card['components'], 'components').filter(isObject).map(stored) }
}

function normal(component: JsonObject): JsonObject {
	const type = stringOf(component['type'])
	if (!type) throw refusal('components', 'component is missing expected field(s) (type)')
	const format = stringOf(component['format'])
	const upper = { ...component, type: type.toUpperCase() }
	return format ? { ...upper, format: format.toUpperCase() } : upper
}

function checkFooter(footer: JsonObject): void {
	const text = stringOf(footer['text'])
	if (!text || variablesIn(text).length > 0 || !isPlainText(text)) throw refusal('footer')
	if (countCharacters(text) > 60) throw refusal('too-long', 'The footer may have 60 characters.')
}
