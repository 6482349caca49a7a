import type { Component, TemplateRow } from '#features/templates/contract.ts'
import { countedTarget } from '#features/templates/counted-link.ts'
import { MAX_BUTTONS, MAX_NAME_LENGTH } from '#features/templates/limits.ts'
import { fillVariables, isNumber, variablesIn } from '#features/templates/placeholders.ts'
import { cardsOf, findComponent } from '#features/templates/values.ts'
import { examplesOf } from '../meta-examples.ts'
import { EMPTY_TEMPLATE, newButton, ButtonFields, TemplateFields, type CardFields } from './template-fields.ts'

const SUFFIX = '_copy'
const HEADER_TYPES = ['TEXT', 'IMAGE', 'VIDEO', 'DOCUMENT', 'LOCATION'] as const

/**
 * Returns the form's fields for a copy of `original` under another name, without parts that the form cannot make (see
 * `leftOut`).
 */
export function duplicateOf(original: TemplateRow): TemplateFields {
	const { components, name, language, mediaUrl, cardMediaUrls } = original
	const header = findComponent(components, 'HEADER')
	const headerType = HEADER_TYPES.find((type) => type === (header?.format ?? 'TEXT').toUpperCase()) ?? 'NONE'
	const headerText = numbered(header?.text ?? '')
	const body = numbered(findComponent(components, 'BODY')?.text ?? '')
	const fields: TemplateFields = {
		...EMPTY_TEMPLATE,
		name: name.slice(0, MAX_NAME_LENGTH - SUFFIX.length) + SUFFIX,
		category: TemplateFields.shape.category.options.find((category) => category === original.category) ?? 'MARKETING',
		language,
		message_send_ttl_seconds: original.category === 'MARKETING' ? String(original.ttlSeconds ?? '') : '',
	}
	if (fields.category === 'AUTHENTICATION') return { ...fields, ...presetOf(components) }
	return {
		...fields,
		...kindFieldsOf(original),
		header_type: header ? headerType : 'NONE',
		header_text: headerType === 'TEXT' ? headerText.text : '',
		header_example: examplesOf(header, headerText.variables)[0] ?? '',
		header_from: (header && headerType !== 'TEXT' && mediaUrl) || cardMediaUrls.some(Boolean) ? original._id : '',
		body_text: body.text,
		body_examples: examplesOf(findComponent(components, 'BODY'), body.variables).map((example) => example ?? ''),
		footer_text: findComponent(components, 'FOOTER')?.text ?? '',
		buttons: buttonsOf(components).flatMap(buttonFields).slice(0, MAX_BUTTONS),
	}
}

/** Returns the parts of a template that the form cannot make, for a hint; empty when there are none. */
export function leftOut(template: TemplateRow): string[] {
	const { components, category } = template
	if (category === 'AUTHENTICATION') return []
	const { kind } = kindFieldsOf(template)
	const known = ['HEADER', 'BODY', 'FOOTER', 'BUTTONS', ...(kind ? [kind] : [])]
	const format = findComponent(components, 'HEADER')?.format?.toUpperCase()
	const buttons = buttonsOf(components)
	return [
		...components.map(({ type }) => type.toUpperCase()).filter((type) => !known.includes(type)),
		...(format && !HEADER_TYPES.some((type) => type === format) ? [`${format} header`] : []),
		...buttons.filter((button) => buttonFields(button, 0).length === 0).map(({ type }) => `${type} button`),
		...(buttons.flatMap(buttonFields).length > MAX_BUTTONS ? [`all buttons but the first ${MAX_BUTTONS}`] : []),
	]
}

/** Returns the fields of a carousel or an offer; none for another template, and for one with parts that the form cannot make. */
function kindFieldsOf({ category, components, cardMediaUrls }: TemplateRow): Partial<TemplateFields> {
	if (category !== 'MARKETING') return {}
	const offer = findComponent(components, 'LIMITED_TIME_OFFER')?.limited_time_offer
	if (offer?.has_expiration && typesOf(buttonsOf(components)) === 'COPY_CODE,URL')
		return { kind: 'LIMITED_TIME_OFFER', offer_text: offer.text ?? '' }
	const cards = cardsOf(components)
	const [first = []] = cards
	const format = findComponent(first, 'HEADER')?.format?.toUpperCase()
	const isMade = cards.every((card) => buttonsOf(card).every((button) => buttonFields(button, 0).length > 0))
	if (!isMade || (format !== 'IMAGE' && format !== 'VIDEO')) return {}
	return {
		kind: 'CAROUSEL',
		card_header: format,
		cards: cards.map((card, index) => cardFields(card, { index, hasFile: Boolean(cardMediaUrls[index]) })),
	}
}

function cardFields(card: readonly Component[], { index, hasFile }: { index: number; hasFile: boolean }): CardFields {
	const body = numbered(findComponent(card, 'BODY')?.text ?? '')
	return {
		key: `card-${index}`,
		body_text: body.text,
		body_examples: examplesOf(findComponent(card, 'BODY'), body.variables).map((example) => example ?? ''),
		buttons: buttonsOf(card).flatMap(buttonFields),
		file_of_card: hasFile ? index + 1 : 0,
	}
}

function typesOf(buttons: readonly MetaButton[]): string {
	return buttons.map(({ type }) => type.toUpperCase()).join()
}

type MetaButton = NonNullable<Component['buttons']>[number]

function buttonsOf(components: readonly Component[]): MetaButton[] {
	return findComponent(components, 'BUTTONS')?.buttons ?? []
}

function buttonFields(button: MetaButton, index: number): ButtonFields[] {
	const type = ButtonFields.shape.type.options.find((known) => known === button.type.toUpperCase())
	if (!type) return []
	const [example = ''] = [button['example']].flat().map(String)
	const target = countedTarget(button)
	const url = target ?? numbered(button.url ?? '').text
	const isVariable = type === 'URL' && url.endsWith('{{1}}')
	return [
		{
			...newButton(type, String(index)),
			text: type === 'COPY_CODE' || type === 'REQUEST_CONTACT_INFO' ? '' : (button.text ?? ''),
			url,
			count_clicks: target !== null,
			url_example: isVariable && button['example'] ? example.replace(url.replace('{{1}}', ''), '') : '',
			phone_number: button.phone_number ?? '',
			code_example: type === 'COPY_CODE' && button['example'] ? example : '',
		},
	]
}

/** Returns the text with named variables numbered in order of first use, as the form numbers them. */
function numbered(text: string): { text: string; variables: string[] } {
	const variables = variablesIn(text)
	if (variables.every(isNumber)) return { text, variables }
	return { text: fillVariables(text, (name) => `{{${variables.indexOf(name) + 1}}}`), variables }
}

function presetOf(components: readonly Component[]): Partial<TemplateFields> {
	const minutes = findComponent(components, 'FOOTER')?.['code_expiration_minutes']
	return {
		add_security_recommendation: findComponent(components, 'BODY')?.['add_security_recommendation'] === true,
		code_expiration_minutes: typeof minutes === 'number' || typeof minutes === 'string' ? String(minutes) : '',
		otp_button_text: buttonsOf(components)[0]?.text ?? EMPTY_TEMPLATE.otp_button_text,
	}
}
