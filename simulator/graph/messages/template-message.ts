import type { Component, Template } from '#simulator/state/templates.ts'
import { GraphError, missingParam, wrongValue } from '../errors.ts'
import { type JsonObject, isObject, listAt, objectAt, onlyKeys, textAt } from '../json.ts'
import type { Checked, Sender } from './message-parts.ts'
import { checkButtonParts } from './template-buttons.ts'
import { checkHeaderPart } from './template-header.ts'
import { partsOf, type Part, type Parts } from './template-part.ts'
import { checkTextPart } from './template-text.ts'

/** Validates a template message against the stored template. */
export function checkTemplateMessage(sent: JsonObject, sender: Sender): Checked {
	onlyKeys(sent, 'template', ['name', 'language', 'components'])
	const template = templateFor(sent, sender)
	const parts = partsOf(sent['components'])
	const { components, parameter_format: format } = template
	const offer = componentOf(components, 'LIMITED_TIME_OFFER')
	const rule = { components, format, sender, where: 'body' }
	checkParts(parts, { ...rule, maxLength: offer ? 600 : 1_024 })
	checkOfferPart(parts.limited_time_offer, offer)
	checkCards(parts.carousel, { ...rule, cards: cardsOf(componentOf(components, 'CAROUSEL')) })
	const buttons = buttonsOf(components)
	return {
		type: 'template',
		category: template.category.toLowerCase(),
		template,
		quickReplies: quickRepliesIn([...buttons, ...cardsOf(componentOf(components, 'CAROUSEL')).flatMap(buttonsOf)]),
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

/** Validates the parts that a template and each of its cards have: body, header and buttons. */
function checkParts({ body, header, buttons }: Parts, { components, maxLength, where, ...rule }: PartsRule): void {
	const text = componentOf(components, 'BODY')?.['text']
	checkTextPart(body, { text: typeof text === 'string' ? text : '', where, maxLength, format: rule.format })
	checkHeaderPart(header, { header: componentOf(components, 'HEADER'), ...rule })
	checkButtonParts(buttons, buttonsOf(components))
}

interface PartsRule {
	components: readonly Component[]
	format: Template['parameter_format']
	sender: Sender
	/** Name of the body in the details of a refusal. */
	where: string
	maxLength: number
}

/** Validates the cards of a message: as many as the template has, in order. */
function checkCards(
	part: Part | null,
	{ cards, ...rule }: Omit<PartsRule, 'maxLength'> & { cards: readonly Component[][] },
): void {
	if (!part && cards.length === 0) return
	const sent = listAt(part?.whole['cards'] ?? [], 'carousel.cards').map((card) => objectAt(card, 'carousel.cards'))
	if (sent.length !== cards.length) {
		const details = `carousel: number of cards (${sent.length}) does not match the expected number of cards (${cards.length})`
		throw new GraphError(132012, { details })
	}
	for (const [index, card] of sent.entries()) {
		onlyKeys(card, `carousel.cards.${index}`, ['card_index', 'components'])
		if (card['card_index'] !== index) throw wrongValue(`carousel: card_index of card ${index} is not valid.`)
		const parts = partsOf(card['components'], `carousel.cards.${index}.components`)
		checkParts(parts, { ...rule, components: cards[index] ?? [], where: `card ${index} body`, maxLength: 160 })
	}
}

/** Validates the end of a limited-time offer, which a template with an expiration needs. */
function checkOfferPart(part: Part | null, offer: Component | null): void {
	const described = offer?.['limited_time_offer']
	if (!isObject(described) || described['has_expiration'] !== true) {
		if (part) throw new GraphError(132012, { details: 'limited_time_offer: the template has no expiration' })
		return
	}
	const [parameter, ...more] = part?.parameters ?? []
	if (!parameter) throw missingParam('limited_time_offer: expiration_time_ms is required.')
	if (more.length > 0 || parameter['type'] !== 'limited_time_offer')
		throw new GraphError(132012, { details: 'limited_time_offer: needs one parameter of type limited_time_offer' })
	const value = objectAt(parameter['limited_time_offer'], 'limited_time_offer')
	onlyKeys(value, 'limited_time_offer', ['expiration_time_ms'])
	const ends = value['expiration_time_ms']
	if (typeof ends !== 'number' || !Number.isInteger(ends) || ends <= Date.now())
		throw wrongValue('limited_time_offer: expiration_time_ms must be a time in the future, in milliseconds.')
}

function componentOf(components: readonly Component[], type: string): Component | null {
	return components.find((component) => component['type'] === type) ?? null
}

function cardsOf(carousel: Component | null): Component[][] {
	const cards = carousel?.['cards']
	if (!Array.isArray(cards)) return []
	return cards.filter(isObject).map(({ components }) => (Array.isArray(components) ? components.filter(isObject) : []))
}

function buttonsOf(components: readonly Component[]): Component[] {
	const buttons = componentOf(components, 'BUTTONS')?.['buttons']
	return Array.isArray(buttons) ? buttons.filter(isObject) : []
}

function quickRepliesIn(buttons: Component[]): string[] {
	return buttons.filter((button) => button['type'] === 'QUICK_REPLY').map((button) => String(button['text']))
}
