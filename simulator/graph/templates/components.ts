import type { NetworkState } from '#simulator/network-state.ts'
import type { Component, Template, TemplateCategory } from '#simulator/state/templates.ts'
import { type JsonObject, isObject, listAt, objectAt, stringOf } from '../json.ts'
import { variablesIn } from '../placeholders.ts'
import { countCharacters, isPlainText } from '../text.ts'
import { authenticationComponents } from './authentication.ts'
import { checkButtons, storedButton } from './buttons.ts'
import { checkHeader } from './header.ts'
import { refusal } from './refusal.ts'
import { checkExamples, checkVariableNames } from './variables.ts'

export interface TemplateContext {
	state: NetworkState
	category: TemplateCategory
	format: Template['parameter_format']
}

// Checks by component type. Components of other types are stored without validation.
const CHECKS: Record<string, (component: JsonObject, context: TemplateContext, path: string) => void> = {
	HEADER: checkHeader,
	BODY: checkBody,
	FOOTER: checkFooter,
	BUTTONS: (component, _context, path) => checkButtons(component['buttons'], path),
}

/** Validates and returns the components of a new or edited template. */
export function checkedComponents(value: unknown, context: TemplateContext): Component[] {
	const components = listAt(value, 'components').map((component) => normal(objectAt(component, 'components')))
	const types = components.map((component) => String(component['type']))
	if (new Set(types).size < types.length) throw refusal('components', 'A component is given more than once.')
	if (context.category === 'AUTHENTICATION') return authenticationComponents(components)
	if (!types.includes('BODY')) throw refusal('components', 'component of type BODY is missing.')
	for (const [index, component] of components.entries()) {
		CHECKS[String(component['type'])]?.(component, context, `components[${index}]`)
	}
	return components.map(stored)
}

function stored(component: JsonObject): Component {
	const buttons = component['buttons']
	return Array.isArray(buttons) ? { ...component, buttons: buttons.map(storedButton) } : component
}

function normal(component: JsonObject): JsonObject {
	const type = stringOf(component['type'])
	if (!type) throw refusal('components', 'component is missing expected field(s) (type)')
	const format = stringOf(component['format'])
	const upper = { ...component, type: type.toUpperCase() }
	return format ? { ...upper, format: format.toUpperCase() } : upper
}

function checkBody(body: JsonObject, { format }: TemplateContext): void {
	const text = stringOf(body['text'])?.trim()
	if (!text) throw refusal('body')
	if (countCharacters(text) > 1_024) throw refusal('too-long', 'The body may have 1024 characters.')
	const variables = variablesIn(text)
	checkVariableNames(text, variables, { format, reason: 'body' })
	if (/^\{\{|\}\}$/.test(text)) throw refusal('edges')
	if (/\}\}\s*\{\{/.test(text)) throw refusal('body', 'Variables must not stand next to each other.')
	const words = text.split(/\s+/).length
	if (words < 2 * variables.length + 1) throw refusal('ratio')
	if (variables.length === 0) return
	const example = isObject(body['example']) ? body['example'] : {}
	checkExamples(example, variables, { format, part: 'body' })
}

function checkFooter(footer: JsonObject): void {
	const text = stringOf(footer['text'])
	if (!text || variablesIn(text).length > 0 || !isPlainText(text)) throw refusal('footer')
	if (countCharacters(text) > 60) throw refusal('too-long', 'The footer may have 60 characters.')
}
