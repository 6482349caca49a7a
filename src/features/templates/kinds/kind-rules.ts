import { buttonProblems, type TemplateProblem } from '../button-rules.ts'
import type { TemplateButton } from '../contract.ts'
import {
	cardFilesTooLarge,
	MAX_CARD_BODY_LENGTH,
	MAX_CARD_BUTTONS,
	MAX_CARDS,
	MAX_OFFER_TEXT_LENGTH,
	MIN_CARDS,
	type MediaHeader,
} from '../limits.ts'
import { isNamed, variablesIn } from '../placeholders.ts'
import { plainTextFault } from '../plain-text.ts'
import type { CardDraft, TemplateDraft } from '../rules.ts'
import { bodyExampleProblems, bodyProblem, headerFileProblem, MIXED_VARIABLES, tooLong, when } from './text-rules.ts'

/** Returns the reasons why a carousel or a limited-time offer cannot be created; none for a standard template. */
export function kindProblems(draft: TemplateDraft): TemplateProblem[] {
	if (draft.kind === 'CAROUSEL') return carouselProblems(draft)
	if (draft.kind === 'LIMITED_TIME_OFFER') return offerProblems(draft)
	return [
		...when('cards', (draft.cards ?? []).length > 0 && 'Only a template of the kind CAROUSEL has cards'),
		...when('offer_text', Boolean(draft.offer_text) && 'Only a template of the kind LIMITED_TIME_OFFER has this text'),
	]
}

function offerProblems(draft: TemplateDraft): TemplateProblem[] {
	const text = (draft.offer_text ?? '').trim()
	const headers = ['NONE', 'IMAGE', 'VIDEO']
	const isMade =
		draft.buttons.length === 2 && draft.buttons[0]?.type === 'COPY_CODE' && draft.buttons[1]?.type === 'URL'
	return [
		...marketingOnly(draft, 'A limited-time offer'),
		...when('header_type', !headers.includes(draft.header_type) && 'An offer has a picture, a video or no header'),
		...when('footer_text', Boolean(draft.footer_text?.trim()) && 'WhatsApp allows no footer in a limited-time offer'),
		...when('offer_text', text === '' && 'Please enter the text of the offer, such as “Ends soon”'),
		...when('offer_text', tooLong('The text of the offer', text, MAX_OFFER_TEXT_LENGTH)),
		...when('offer_text', /\{\{|\}\}/.test(text) && 'The text of the offer cannot hold variables'),
		...when('offer_text', plainTextFault('The text of the offer', text)),
		...when('buttons', !isMade && 'An offer has two buttons: first the one that copies the code, then one with a link'),
	]
}

function marketingOnly({ category }: TemplateDraft, what: string): TemplateProblem[] {
	return when('category', category !== 'MARKETING' && `${what} is always of the category Marketing`)
}

function carouselProblems(draft: TemplateDraft): TemplateProblem[] {
	const cards = draft.cards ?? []
	return [
		...marketingOnly(draft, 'A template with cards'),
		...when('header_type', draft.header_type !== 'NONE' && 'A template with cards has no header above its text'),
		...when('footer_text', Boolean(draft.footer_text?.trim()) && 'A template with cards has no footer'),
		...when('buttons', draft.buttons.length > 0 && 'A template with cards has its buttons on the cards'),
		...when('cards', cards.length < MIN_CARDS && `Add at least ${MIN_CARDS} cards`),
		...when('cards', cards.length > MAX_CARDS && `Maximum ${MAX_CARDS} cards allowed`),
		...when('cards', cardFilesTooLarge(cards.reduce((sum, { file }) => sum + (file?.size ?? 0), 0))),
		...cards.flatMap((card, index) =>
			cardProblems(draft, { card, first: cards[0] ?? card }).map(({ field, message }) => ({
				field: `cards.${index}.${field}`,
				message,
			})),
		),
	]
}

/** Returns the problems of one card; `first` is the card whose shape all others have. */
function cardProblems(draft: TemplateDraft, { card, first }: { card: CardDraft; first: CardDraft }): TemplateProblem[] {
	const body = card.body_text.trim()
	const hasBody = first.body_text.trim() !== ''
	const isMixed = isOtherNaming(variablesIn(draft.body_text), variablesIn(body))
	return [
		...when('header_type', card.header_type !== first.header_type && 'All cards have a picture, or all have a video'),
		...fileProblems(draft, card),
		...when('body_text', (body !== '') !== hasBody && 'Either all cards have a text, or none has'),
		...when('body_text', tooLong('The text of a card', body, MAX_CARD_BODY_LENGTH)),
		...when('body_text', body !== '' && bodyProblem(body)),
		...when('body_text', isMixed && MIXED_VARIABLES),
		...bodyExampleProblems(body, card.body_examples),
		...cardButtonProblems(card.buttons, first.buttons),
	]
}

function isOtherNaming(one: readonly string[], other: readonly string[]): boolean {
	return one.length > 0 && other.length > 0 && isNamed(one) !== isNamed(other)
}

function fileProblems({ header_from }: TemplateDraft, { header_type, file }: CardDraft): TemplateProblem[] {
	const kind: MediaHeader = header_type
	if (file) return when('file', headerFileProblem(kind, file))
	// Null in a form: this card reuses no file, although other cards do.
	return when(
		'file',
		(file === null || !header_from) && `Please upload a ${kind === 'IMAGE' ? 'picture' : 'video'} for this card`,
	)
}

const CARD_BUTTONS: readonly TemplateButton['type'][] = ['QUICK_REPLY', 'URL', 'PHONE_NUMBER']

function cardButtonProblems(buttons: readonly TemplateButton[], first: readonly TemplateButton[]): TemplateProblem[] {
	const kinds = buttons.map(({ type }) => type)
	const isOther = kinds.join() !== first.map(({ type }) => type).join()
	const isStrange = kinds.some((type) => !CARD_BUTTONS.includes(type))
	return [
		...when('buttons', buttons.length === 0 && 'Each card has 1 or 2 buttons'),
		...when('buttons', buttons.length > MAX_CARD_BUTTONS && `Maximum ${MAX_CARD_BUTTONS} buttons on a card allowed`),
		...when('buttons', isStrange && 'A button of a card is a quick reply, a link or a phone number'),
		...when('buttons', isOther && 'All cards have the same kinds of buttons in the same order'),
		...buttonProblems(buttons),
	]
}
