import assert from 'node:assert/strict'
import { test } from 'node:test'
import { valueProblems } from '#features/audiences/values.ts'
import { filledParts } from '../filled.ts'
import { previewComponents, slotLabel, slotsOf } from '../values.ts'

const LINK = { type: 'URL', text: 'Buy', url: 'https://ex.in/{{1}}' }
const CARDS = [
	{ type: 'BODY', text: 'Hi {{1}}' },
	{
		type: 'CAROUSEL',
		cards: ['Sofa {{1}}', 'Chair {{1}}'].map((text) => ({
			components: [
				{ type: 'HEADER', format: 'IMAGE' },
				{ type: 'BODY', text },
				{ type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: 'More' }, LINK] },
			],
		})),
	},
]
const OFFER = [
	{ type: 'HEADER', format: 'LOCATION' },
	{ type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'Ends', has_expiration: true } },
	{ type: 'BODY', text: 'Hello all' },
	{ type: 'BUTTONS', buttons: [{ type: 'COPY_CODE' }] },
]

const faultsOf = (components: typeof CARDS | typeof OFFER, values: Record<string, string>) =>
	Object.fromEntries(valueProblems(components, values, ['firstName']).map(({ field, message }) => [field, message]))

test('slotsOf numbers the variables of cards from 1, and labels name the card', () => {
	const slots = slotsOf(CARDS)
	assert.deepEqual(
		slots.map(({ key }) => key),
		['var1', 'card1_var1', 'card1_url2', 'card2_var1', 'card2_url2'],
	)
	assert.deepEqual(
		slots.slice(3).map((slot) => slotLabel(slot, CARDS)),
		['Card 2: Variable 1', 'Card 2: End of the link behind “Buy”'],
	)
})

test('valueProblems checks the values of cards as those of the template', () => {
	const values = { var1: 'Asha', card1_var1: 'A1', card1_url2: 'https://ex.in/a1', card2_var1: 'A\tB' }
	assert.deepEqual(faultsOf(CARDS, { ...values, card2_url2: 'a b' }), {
		'variables.card2_var1': 'Card 2: Variable 1 has a tab',
		'variables.card2_url2':
			'Card 2: End of the link behind “Buy” cannot follow https://ex.in/: enter what comes after it, without spaces',
	})
	const long = faultsOf(CARDS, { ...values, card1_var1: '{{firstName', card2_var1: 'x'.repeat(155), card2_url2: 'b' })
	assert.match(long['variables.card1_var1'] ?? '', /braces that form no merge tag/)
	assert.match(long['variables.card2_var1'] ?? '', /body of card 2 is 161 characters long. WhatsApp takes 160/)
	const [, open] = filledParts(CARDS, { card1_var1: '{{firstName}}' })
	assert.deepEqual([open?.key, open?.max, open?.pieces.length], ['card1_var1', 160, 3])
})

test('valueProblems requires an end in the future, a code of at most 15 characters and coordinates in degrees', () => {
	const values = {
		location_name: 'Asha',
		location_address: 'Pune',
		location_latitude: '18.5',
		location_longitude: '73.8',
	}
	assert.deepEqual(faultsOf(OFFER, { ...values, offer_ends: '2098-12-31T18:30', code1: 'SAVE10' }), {})
	assert.deepEqual(
		faultsOf(OFFER, { ...values, location_longitude: '18,5', offer_ends: '31/12/2026', code1: 'x'.repeat(16) }),
		{
			'variables.location_longitude': 'Longitude must be a number of degrees from -180 to 180, such as 72.8777',
			'variables.offer_ends': 'End of the offer is no date and time. Write it as 2026-12-31T18:30, in Indian time',
			'variables.code1': 'Offer code has more than 15 characters',
		},
	)
	const past = faultsOf(OFFER, { ...values, offer_ends: '2026-01-01T10:00+05:30', code1: '{{firstName}}' })
	assert.deepEqual(past, { 'variables.offer_ends': 'End of the offer has already passed. Choose a later end' })
})

test('previewComponents fills cards, the end of the offer and the location', () => {
	const [, carousel] = previewComponents(CARDS, { card2_var1: 'A1' })
	assert.deepEqual(
		carousel?.cards?.map(({ components }) => components[1]?.text),
		['Sofa {{1}}', 'Chair A1'],
	)
	const [header, offer] = previewComponents(OFFER, { offer_ends: '2026-12-31T18:30', location_name: 'Asha' })
	assert.equal(offer?.limited_time_offer?.expiration_time_ms, Date.UTC(2026, 11, 31, 13))
	assert.deepEqual(header?.['location'], { name: 'Asha', address: '', latitude: '', longitude: '' })
})
