import assert from 'node:assert/strict'
import { test } from 'node:test'
import { templateHints } from './hints.ts'
import type { CardDraft } from './rules.ts'

const CARD: CardDraft = {
	header_type: 'IMAGE',
	body_text: 'A {{1}} sofa',
	body_examples: ['red'],
	buttons: [
		{ type: 'URL', text: 'Shop', url: 'https://bit.ly/sofa' },
		{ type: 'PHONE_NUMBER', text: 'Call', phone_number: '09876543210' },
	],
}

test('templateHints name shortened links, thin texts and odd phone numbers of cards at the card', () => {
	const hints = templateHints({
		name: 'sofas',
		category: 'MARKETING',
		language: 'en',
		kind: 'CAROUSEL',
		header_type: 'NONE',
		body_text: 'Our sofas of the week',
		body_examples: [],
		buttons: [],
		cards: [{ ...CARD, body_text: '' }, CARD],
	})
	assert.deepEqual(
		hints.map(({ field }) => field),
		[
			'cards.0.buttons.0.url',
			'cards.0.buttons.1.phone_number',
			'cards.1.body_text',
			'cards.1.buttons.0.url',
			'cards.1.buttons.1.phone_number',
		],
	)
})
