import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Component } from '#features/templates/contract.ts'
import type { Variables } from '#features/templates/values.ts'
import { createMessageComponents, OfferEnded } from './components.ts'

const FACTS = { find: (tag: string) => `‹${tag}›`, tokenOf: (place: number) => `token${place}` }

function componentsOf(components: Component[], variables: Variables = {}): object[] {
	const plan = { components, variables, mediaId: '71', cardMediaIds: ['71', '72'], headerFilename: null }
	return createMessageComponents(plan)(FACTS)
}

const card = (card_index: number, [header, text, end, token]: [object, string, string, string]) => ({
	card_index,
	components: [
		{ type: 'header', parameters: [header] },
		{ type: 'body', parameters: [{ type: 'text', text }] },
		{ type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: end }] },
		{ type: 'button', sub_type: 'url', index: '1', parameters: [{ type: 'text', text: token }] },
	],
})

test('createMessageComponents makes each card with its own file, values and counted link', () => {
	const counted = { url: 'https://b.in/l/{{1}}', example: ['https://b.in/l/abc'], counted_target: 'https://ex.in/' }
	const cards = ['IMAGE', 'VIDEO'].map((format) => ({
		components: [
			{ type: 'HEADER', format },
			{ type: 'BODY', text: 'Sofa {{1}}' },
			{
				type: 'BUTTONS',
				buttons: [
					{ type: 'URL', text: 'Buy', url: 'https://ex.in/{{1}}' },
					{ type: 'URL', ...counted },
				],
			},
		],
	}))
	const made = componentsOf(
		[
			{ type: 'BODY', text: 'Hi' },
			{ type: 'CAROUSEL', cards },
		],
		{
			card1_var1: '{{name}}',
			card1_url1: 'https://ex.in/a1',
			card2_var1: 'B1',
			card2_url1: 'b1',
		},
	)
	const image = { type: 'image', image: { id: '71' } }
	const video = { type: 'video', video: { id: '72' } }
	const [first, second] = [card(0, [image, '‹name›', 'a1', 'token17']), card(1, [video, 'B1', 'b1', 'token33'])]
	assert.deepEqual(made, [{ type: 'carousel', cards: [first, second] }])
})

test('createMessageComponents gives buttons of forms and catalogues Meta’s defaults', () => {
	const buttons = [
		{ type: 'FLOW', text: 'Book' },
		{ type: 'CATALOG', text: 'View' },
	]
	assert.deepEqual(componentsOf([{ type: 'BUTTONS', buttons }]), [
		{
			type: 'button',
			sub_type: 'flow',
			index: '0',
			parameters: [{ type: 'action', action: { flow_token: 'unused' } }],
		},
		{ type: 'button', sub_type: 'CATALOG', index: '1', parameters: [{ type: 'action', action: {} }] },
	])
})

test('createMessageComponents throws OfferEnded once the offer has ended, also for an end of the message itself', () => {
	const offer = [{ type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'Ends', has_expiration: true } }]
	const ends = Date.now() + 60_000
	const limited_time_offer = { expiration_time_ms: ends }
	const part = { type: 'limited_time_offer', parameters: [{ type: 'limited_time_offer', limited_time_offer }] }
	assert.deepEqual(componentsOf(offer, { offer_ends: new Date(ends).toISOString() }), [part])
	assert.throws(() => componentsOf(offer, { offer_ends: '2026-01-01T10:00' }), OfferEnded)
	assert.throws(() => componentsOf(offer, { offer_ends: '{{end}}' }), OfferEnded)
})
