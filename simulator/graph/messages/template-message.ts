import type { Component, Template } from '#simulator/state/templates.ts'
import { GraphError, wrongValue } from '../errors.ts'
import { type JsonObject, isObject, objectAt, onlyKeys, textAt } from '../json.ts'
import type { Checked, Sender } from './message-parts.ts'
import { checkButtonParts } from './template-buttons.ts'
import { checkHeaderPart } from './template-header.ts'
import { partsOf } from './template-part.ts'
import { checkTextPart } from './template-text.ts'

/** Validates a template message against the stored template. */
export function checkTemplateMessage(sent: JsonObject, sender: Sender): Checked {
	onlyKeys(sent, 'template', ['name', 'language', 'components'])
	const template = templateFor(sent, sender)
	const parts = partsOf(sent['components'])
	const format = template.parameter_format
	checkTextPart(parts.body, { text: textOf(template, 'BODY'), where: 'body', maxLength: 1_024, format })
	checkHeaderPart(parts.header, { header: componentOf(template, 'HEADER'), format, sender })
	const buttons = buttonsOf(template)
	checkButtonParts(parts.buttons, buttons)
	return {
		type: 'template',
		category: template.category.toLowerCase(),
		template,
		quickReplies: quickRepliesIn(buttons),
	}
}

function templateFor(sent: JsonObject, { state, phone }: Sender): Template {
	const name = textAt(sent['name'], 'template.name')
	const language = objectAt(sent['language'], 'template.language')
	onlyKeys(language, 'template.language', ['code', 'policy'])
	const code = textAt(language['code'], 'template.language.code')
	const policy = language['policy']
	if (policy !== undefined && policy !== 'deterministic') throw wrongValue('language policy must be deterministic.')
	const template = state.templates.inLanguage(phone.waba_id, name, code)
	if (template?.status === 'PAUSED')
		throw new GraphError(132015, { details: `Template ${name} is paused due to low quality.` })
	if (template?.status === 'DISABLED') throw new GraphError(132016, { details: `Template ${name} is disabled.` })
	if (template?.status === 'APPROVED') return template
	throw new GraphError(132001, { details: `template name (${name}) does not exist in ${code}` })
}

function componentOf(template: Template, type: string): Component | null {
	return template.components.find((component) => component['type'] === type) ?? null
}

function textOf(template: Template, type: string): string {
	const text = componentOf(template, type)?.['text']
	return typeof text === 'string' ? text : ''
}

function buttonsOf(template: Template): Component[] {
	const buttons = componentOf(template, 'BUTTONS')?.['buttons']
	return Array.isArray(buttons) ? buttons.filter(isObject) : []
}

function quickRepliesIn(buttons: Component[]): string[] {
	return buttons.filter((button) => button['type'] === 'QUICK_REPLY').map((button) => String(button['text']))
}
