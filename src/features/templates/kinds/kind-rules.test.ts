import assert from 'node:assert/strict'
import { test } from 'node:test'
import { templateProblems, type CardDraft, type TemplateDraft } from '../rules.ts'

const BASE: TemplateDraft = {
	name: 'diwali',
	category: 'MARKETING',
	language: 'en',
	header_type: 'NONE',
	body_text: 'Hi {{1}}, our offers',
	body_examples: ['Asha'],
	buttons: [],
}
const CARD: CardDraft = {
	header_type: 'IMAGE',
	body_text: 'Sofa {{1}} in stock',
	body_examples: ['A1'],
	buttons: [{ type: 'URL', text: 'Buy', url: 'https://ex.in/{{1}}', url_example: 'a1' }],
	file: { size: 10, type: 'image/png' },
}
const carousel = (cards: readonly CardDraft[], change: Partial<TemplateDraft> = {}): TemplateDraft => ({
	...BASE,
	kind: 'CAROUSEL',
	cards,
	...change,
})
const OFFER: TemplateDraft = {
	...BASE,
	kind: 'LIMITED_TIME_OFFER',
	offer_text: 'Ends soon',
	buttons: [
		{ type: 'COPY_CODE', code_example: 'DIWALI25' },
		{ type: 'URL', text: 'Shop', url: 'https://ex.in' },
	],
}

function fields(draft: TemplateDraft): Record<string, string> {
	return Object.fromEntries(templateProblems(draft).map(({ field, message }) => [field, message]))
}

test('templateProblems accepts two to ten cards of one shape, and names each card that differs', () => {
	assert.deepEqual(fields(carousel([CARD, CARD])), {})
	assert.deepEqual(fields(carousel([CARD])), { cards: 'Add at least 2 cards' })
	const heavy: CardDraft = { ...CARD, header_type: 'VIDEO', file: { size: 15 * 1024 * 1024, type: 'video/mp4' } }
	assert.deepEqual(fields(carousel([heavy, heavy, heavy])), {})
	assert.match(fields(carousel([heavy, heavy, heavy, heavy]))['cards'] ?? '', /All cards together .* at most 50 MB/)
	assert.deepEqual(fields(carousel(Array.from({ length: 11 }, () => CARD))), { cards: 'Maximum 10 cards allowed' })
	const other: CardDraft = {
		...CARD,
		header_type: 'VIDEO',
		body_text: '',
		body_examples: [],
		buttons: [{ type: 'QUICK_REPLY', text: 'More' }],
		file: null,
	}
	assert.deepEqual(fields(carousel([CARD, other])), {
		'cards.1.header_type': 'All cards have a picture, or all have a video',
		'cards.1.file': 'Please upload a video for this card',
		'cards.1.body_text': 'Either all cards have a text, or none has',
		'cards.1.buttons': 'All cards have the same kinds of buttons in the same order',
	})
})

test('templateProblems counts the text of a card in code points, and requires its examples', () => {
	const emoji = { ...CARD, body_text: '🪔'.repeat(160), body_examples: [] }
	assert.deepEqual(fields(carousel([emoji, emoji])), {})
	const long = { ...emoji, body_text: '🪔'.repeat(161) }
	assert.equal(
		fields(carousel([emoji, long]))['cards.1.body_text'],
		'The text of a card can have at most 160 characters',
	)
	const bare = { ...CARD, body_examples: [] }
	assert.equal(fields(carousel([CARD, bare]))['cards.1.body_examples.0'], 'All variables must have example values')
})

test('templateProblems refuses parts that WhatsApp does not allow in a carousel, at their fields', () => {
	const change = { category: 'UTILITY', header_type: 'TEXT', header_text: 'Sale', footer_text: 'Bye' } as const
	assert.deepEqual(Object.keys(fields(carousel([CARD, CARD], { ...change, buttons: OFFER.buttons }))), [
		'category',
		'header_type',
		'footer_text',
		'buttons',
	])
	const code = { ...CARD, buttons: [{ type: 'COPY_CODE' as const, code_example: 'A' }] }
	const message = 'A button of a card is a quick reply, a link or a phone number'
	assert.equal(fields(carousel([code, code]))['cards.0.buttons'], message)
})

test('templateProblems checks the text, body, footer and buttons of a limited-time offer', () => {
	assert.deepEqual(fields(OFFER), {})
	const long = 'Happy Diwali '.repeat(47)
	const wrong: TemplateDraft = {
		...OFFER,
		offer_text: 'Ends on Saturday!',
		body_text: long,
		body_examples: [],
		footer_text: 'Bye',
		buttons: OFFER.buttons.toReversed(),
	}
	assert.deepEqual(fields(wrong), {
		body_text: 'Body text can have at most 600 characters',
		footer_text: 'WhatsApp allows no footer in a limited-time offer',
		offer_text: 'The text of the offer can have at most 16 characters',
		buttons: 'An offer has two buttons: first the one that copies the code, then one with a link',
	})
	const code = { ...OFFER, buttons: [{ type: 'COPY_CODE' as const, code_example: 'SIXTEENCHARS1234' }] }
	assert.equal(fields(code)['buttons.0.code_example'], 'An example of the code can have at most 15 characters')
})
