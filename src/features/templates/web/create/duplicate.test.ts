import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { TemplateRow } from '#features/templates/contract.ts'
import { duplicateOf, leftOut } from './duplicate.ts'

function template(given: Partial<TemplateRow>): TemplateRow {
	return {
		_id: '12',
		template_id: '900',
		name: 'diwali',
		language: 'en_US',
		status: 'APPROVED',
		category: 'MARKETING',
		quality: null,
		rejectedReason: null,
		mediaUrl: null,
		cardMediaUrls: [],
		components: [],
		parameterFormat: 'POSITIONAL',
		previousCategory: null,
		correctCategory: null,
		ttlSeconds: null,
		isGone: false,
		needsHeaderFile: false,
		createdAt: '2026-11-01T00:00:00.000Z',
		...given,
	}
}

function card(text: string, format = 'IMAGE') {
	const buttons = [{ type: 'QUICK_REPLY', text: 'Yes' }]
	return {
		components: [
			{ type: 'HEADER', format },
			{ type: 'BODY', text },
			{ type: 'BUTTONS', buttons },
		],
	}
}

suite('duplicateOf', () => {
	test('returns the target of a counted link as its URL, to be counted again', () => {
		// The target is https://a.example/, and the signature eight zero bytes.
		const token = btoa(' https://a.example/\0\0\0\0\0\0\0\0').replace(/=+$/, '')
		const counted = { type: 'URL', text: 'Shop', url: 'https://b.in/l/{{1}}', example: [`https://b.in/l/${token}`] }
		const [button] = duplicateOf(template({ components: [{ type: 'BUTTONS', buttons: [counted] }] })).buttons
		assert.deepEqual([button?.url, button?.count_clicks, button?.url_example], ['https://a.example/', true, ''])
	})

	test('copies texts, examples and buttons under a new name', () => {
		const fields = duplicateOf(
			template({
				components: [
					{ type: 'HEADER', format: 'TEXT', text: 'For {{1}}', example: { header_text: ['Asha'] } },
					{ type: 'BODY', text: 'Hi {{1}}, in {{2}}.', example: { body_text: [['Asha', 'Pune']] } },
					{ type: 'FOOTER', text: 'Meera Textiles' },
					{
						type: 'BUTTONS',
						buttons: [
							{ type: 'URL', text: 'Shop', url: 'https://x.in/{{1}}', example: ['https://x.in/sale'] },
							{ type: 'PHONE_NUMBER', text: 'Call', phone_number: '+919876543210' },
						],
					},
				],
			}),
		)
		assert.equal(fields.name, 'diwali_copy')
		assert.deepEqual(
			[fields.header_type, fields.header_text, fields.header_example, fields.footer_text],
			['TEXT', 'For {{1}}', 'Asha', 'Meera Textiles'],
		)
		assert.deepEqual([fields.body_text, fields.body_examples], ['Hi {{1}}, in {{2}}.', ['Asha', 'Pune']])
		assert.deepEqual(
			fields.buttons.map(({ type, text, url_example, phone_number }) => [type, text, url_example, phone_number]),
			[
				['URL', 'Shop', 'sale', ''],
				['PHONE_NUMBER', 'Call', '', '+919876543210'],
			],
		)
	})

	test('numbers named variables in order of first use', () => {
		const fields = duplicateOf(
			template({
				parameterFormat: 'NAMED',
				components: [
					{
						type: 'BODY',
						text: 'Hi {{first_name}}, see you in {{city}}, {{first_name}}.',
						example: {
							body_text_named_params: [
								{ param_name: 'city', example: 'Pune' },
								{ param_name: 'first_name', example: 'Asha' },
							],
						},
					},
				],
			}),
		)
		assert.equal(fields.body_text, 'Hi {{1}}, see you in {{2}}, {{1}}.')
		assert.deepEqual(fields.body_examples, ['Asha', 'Pune'])
	})

	test('reuses the header file when we have a copy, and leaves it empty otherwise', () => {
		const components = [{ type: 'HEADER', format: 'IMAGE' }]
		assert.equal(duplicateOf(template({ components, mediaUrl: '/api/templates/12/header' })).header_from, '12')
		assert.equal(duplicateOf(template({ components })).header_from, '')
	})

	test('copies the settings of an authentication template', () => {
		const fields = duplicateOf(
			template({
				category: 'AUTHENTICATION',
				components: [
					{ type: 'BODY', text: '*{{1}}* is your verification code.', add_security_recommendation: false },
					{ type: 'FOOTER', text: 'This code expires in 5 minutes.', code_expiration_minutes: 5 },
					{ type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Copy it' }] },
				],
			}),
		)
		assert.deepEqual(
			[fields.add_security_recommendation, fields.code_expiration_minutes, fields.otp_button_text, fields.body_text],
			[false, '5', 'Copy it', ''],
		)
	})

	test('copies the cards of a carousel with their files, and the parts of an offer', () => {
		const body = { type: 'BODY', text: 'Hi' }
		const components = [body, { type: 'CAROUSEL', cards: [card('Sofa'), card('Table')] }]
		const carousel = template({ components, cardMediaUrls: [null, '/api/templates/12/header?card=2'] })
		const { kind, cards, header_from } = duplicateOf(carousel)
		assert.deepEqual(
			[kind, header_from, cards.map(({ body_text, file_of_card }) => [body_text, file_of_card]), leftOut(carousel)],
			[
				'CAROUSEL',
				'12',
				[
					['Sofa', 0],
					['Table', 2],
				],
				[],
			],
		)
		const products = template({ components: [body, { type: 'CAROUSEL', cards: [card('A', 'PRODUCT')] }] })
		assert.deepEqual([duplicateOf(products).kind, leftOut(products)], ['STANDARD', ['CAROUSEL']])
		const offer = template({
			components: [
				{ type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'Ends soon', has_expiration: true } },
				body,
				{ type: 'BUTTONS', buttons: [{ type: 'copy_code' }, { type: 'url', text: 'Shop', url: 'https://x.in' }] },
			],
		})
		const copied = duplicateOf(offer)
		assert.deepEqual([copied.kind, copied.offer_text, leftOut(offer)], ['LIMITED_TIME_OFFER', 'Ends soon', []])
	})

	test('cuts a name that would become too long', () =>
		assert.equal(duplicateOf(template({ name: 'a'.repeat(512) })).name.length, 512))
})

test('leftOut returns the parts that the form cannot make', () => {
	const buttons = [
		{ type: 'FLOW', text: 'Book' },
		...Array.from({ length: 4 }, () => ({ type: 'QUICK_REPLY', text: 'Yes' })),
	]
	const components = [
		{ type: 'HEADER', format: 'PRODUCT' },
		{ type: 'BODY', text: 'Hi' },
		{ type: 'CAROUSEL' },
		{ type: 'BUTTONS', buttons },
	]
	assert.deepEqual(leftOut(template({ components })), [
		'CAROUSEL',
		'PRODUCT header',
		'FLOW button',
		'all buttons but the first 3',
	])
	assert.deepEqual(leftOut(template({ components: [{ type: 'BODY', text: 'Hi' }] })), [])
})
