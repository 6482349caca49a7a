import { isObject, type JsonObject, listAt, objectAt, stringOf } from '../json.ts'
import { countCharacters } from '../text.ts'
import { checkBodyText } from './body.ts'
import { checkButtons } from './buttons.ts'
import type { TemplateContext } from './components.ts'
import { checkHeader } from './header.ts'
import { refusal } from './refusal.ts'

const CARD_BUTTONS = ['QUICK_REPLY', 'URL', 'PHONE_NUMBER']

/** Validates the rules that a template's kind adds: cards, a limited-time offer, or a location header. */
export function checkKind(components: readonly JsonObject[], { category }: TemplateContext): void {
	const find = (type: string) => components.find((component) => component['type'] === type)
	const isOffer = find('LIMITED_TIME_OFFER') !== undefined
	if ((isOffer || find('CAROUSEL')) && category !== 'MARKETING')
		throw refusal('components', 'This kind of template must be of the category MARKETING.')
	if (find('CAROUSEL') && components.length > 2)
		throw refusal('components', 'A template with cards has a body and cards only.')
	if (isOffer) checkOfferParts(find)
}

function checkOfferParts(find: (type: string) => JsonObject | undefined): void {
	if (find('FOOTER')) throw refusal('footer', 'A limited-time offer has no footer.')
	const format = find('HEADER')?.['format']
	if (format !== undefined && format !== 'IMAGE' && format !== 'VIDEO')
		throw refusal('header', 'The header of a limited-time offer is IMAGE or VIDEO.')
	const body = stringOf(find('BODY')?.['text']) ?? ''
	if (countCharacters(body) > 600)
		throw refusal('too-long', 'The body of a limited-time offer may have 600 characters.')
	const buttons = listAt(find('BUTTONS')?.['buttons'] ?? [], 'buttons').filter(isObject)
	const [first] = buttons
	const code = [first?.['example']].flat()[0]
	if (first?.['type'] !== 'COPY_CODE' || !buttons.some(({ type }) => type === 'URL'))
		throw refusal('buttons', 'A limited-time offer has a COPY_CODE button first, and a URL button.')
	if (typeof code === 'string' && countCharacters(code) > 15)
		throw refusal('too-long', 'The code of a limited-time offer may have 15 characters.')
}

export function checkOffer(component: JsonObject): void {
	const offer = objectAt(component['limited_time_offer'], 'limited_time_offer')
	const text = stringOf(offer['text'])
	if (!text) throw refusal('components', 'component of type LIMITED_TIME_OFFER is missing expected field(s) (text)')
	if (countCharacters(text) > 16) throw refusal('too-long', 'The text of the offer may have 16 characters.')
}

/** Validates the cards of a template: two to ten, all of the same shape. */
export function checkCarousel(component: JsonObject, context: TemplateContext, path: string): void {
	const cards = listAt(component['cards'], 'cards').map((card) => objectAt(card, 'cards'))
	if (cards.length < 2 || cards.length > 10) throw refusal('components', 'A template has two to ten cards.')
	const shapes = cards.map((card, index) => checkCard(card, context, `${path}['cards'][${index}]`))
	if (new Set(shapes).size > 1) throw refusal('components', 'All cards must have the same components and buttons.')
}

/** Validates a card, and returns its shape: the kinds of its components and buttons. */
function checkCard(card: JsonObject, context: TemplateContext, path: string): string {
	const components = listAt(card['components'], 'components').map((each) => objectAt(each, 'components'))
	return components
		.map((component) => {
			const type = String(component['type'])
			if (type === 'HEADER') return checkCardHeader(component, context)
			if (type === 'BODY') {
				checkBodyText(component, context, 160)
				return type
			}
			if (type !== 'BUTTONS') throw refusal('components', `A card has no component of type ${type}.`)
			return checkCardButtons(component, path)
		})
		.join()
}

function checkCardHeader(header: JsonObject, context: TemplateContext): string {
	const format = String(header['format'])
	if (format !== 'IMAGE' && format !== 'VIDEO') throw refusal('header', 'The header of a card is IMAGE or VIDEO.')
	checkHeader(header, context)
	return format
}

function checkCardButtons({ buttons }: JsonObject, path: string): string {
	checkButtons(buttons, path)
	const types = listAt(buttons, 'buttons')
		.filter(isObject)
		.map(({ type }) => String(type))
	if (types.length > 2) throw refusal('buttons', 'A card has one or two buttons.')
	const strange = types.find((type) => !CARD_BUTTONS.includes(type))
	if (strange !== undefined) throw refusal('buttons', `A card has no button of type ${strange}.`)
	return types.join('+')
}
