import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buttonProblems } from '#features/templates/button-rules.ts'
import { templateProblems, type CardDraft, type TemplateDraft } from '#features/templates/rules.ts'
import { CreateCarousel, CreateLocation, CreateOffer } from '#test/readers/meta-bodies.ts'
import { metaBody } from './meta-body.ts'

// The expected bodies follow Meta's documentation of POST /{waba_id}/message_templates.

const DRAFT: TemplateDraft = {
	name: 'order_update',
	category: 'UTILITY',
	language: 'en_US',
	header_type: 'NONE',
	body_text: 'Your order is on its way.',
	body_examples: [],
	buttons: [],
	header_from: undefined,
}
const HEAD = { name: 'order_update', language: 'en_US', category: 'UTILITY' }
const BODY = { type: 'BODY', text: 'Your order is on its way.' }

const bodyOf = (change: Partial<TemplateDraft>, handle?: string) =>
	metaBody({ ...DRAFT, ...change }, { header: handle })

test('metaBody adds no example to a body without variables', () => {
	assert.deepEqual(bodyOf({}), { ...HEAD, components: [BODY] })
})

/** Returns the number of problems of a time to live. */
const ttlProblems = (category: TemplateDraft['category'], message_send_ttl_seconds: string) =>
	templateProblems({ ...DRAFT, category, message_send_ttl_seconds }).filter(
		({ field }) => field === 'message_send_ttl_seconds',
	).length

test('metaBody sends the time to live, and templateProblems require it within the range of the category', () => {
	assert.equal(bodyOf({ message_send_ttl_seconds: ' 43200 ' }).message_send_ttl_seconds, 43_200)
	assert.ok(!('message_send_ttl_seconds' in bodyOf({ message_send_ttl_seconds: '' })))
	for (const seconds of ['43200', '2592000', '']) assert.equal(ttlProblems('MARKETING', seconds), 0, seconds)
	for (const seconds of ['43199', '2592001', '-1', '1.5', 'soon', '1e999'])
		assert.equal(ttlProblems('MARKETING', seconds), 1, seconds)
	for (const seconds of ['30', '43200', '-1']) assert.equal(ttlProblems('UTILITY', seconds), 0, seconds)
	for (const seconds of ['29', '43201', '0']) assert.equal(ttlProblems('UTILITY', seconds), 1, seconds)
})

test('metaBody trims texts, leaves out an empty footer, and removes spaces inside braces', () => {
	const sent = bodyOf({ body_text: ' Dear {{ 1 }}, hello. ', body_examples: [' Asha '], footer_text: ' ' })
	assert.deepEqual(sent.components, [{ type: 'BODY', text: 'Dear {{1}}, hello.', example: { body_text: [['Asha']] } }])
})

test('metaBody sends examples of positional variables as a nested list', () => {
	const sent = bodyOf({ body_text: 'Hi {{1}}, {{2}} it is.', body_examples: ['Ana', 'tomorrow'] })
	assert.deepEqual(sent, {
		...HEAD,
		components: [{ type: 'BODY', text: 'Hi {{1}}, {{2}} it is.', example: { body_text: [['Ana', 'tomorrow']] } }],
	})
})

test('metaBody announces named variables, with examples as pairs in the order of first use', () => {
	const sent = bodyOf({
		header_type: 'TEXT',
		header_text: 'For {{first_name}}',
		header_example: 'Ana',
		body_text: 'Hi {{first_name}}, order {{order_id}} of {{first_name}} is packed.',
		body_examples: ['Ana', 'A-17'],
	})
	assert.deepEqual(sent, {
		...HEAD,
		parameter_format: 'NAMED',
		components: [
			{
				type: 'HEADER',
				format: 'TEXT',
				text: 'For {{first_name}}',
				example: { header_text_named_params: [{ param_name: 'first_name', example: 'Ana' }] },
			},
			{
				type: 'BODY',
				text: 'Hi {{first_name}}, order {{order_id}} of {{first_name}} is packed.',
				example: {
					body_text_named_params: [
						{ param_name: 'first_name', example: 'Ana' },
						{ param_name: 'order_id', example: 'A-17' },
					],
				},
			},
		],
	})
})

const textHeader = (header_text: string) =>
	bodyOf({ header_type: 'TEXT', header_text, header_example: 'Ana' }).components[0]

test('metaBody sends the example of a text header as a list, and none without a variable', () => {
	assert.deepEqual(textHeader('Hi {{1}}'), {
		type: 'HEADER',
		format: 'TEXT',
		text: 'Hi {{1}}',
		example: { header_text: ['Ana'] },
	})
	assert.deepEqual(textHeader('Good news'), { type: 'HEADER', format: 'TEXT', text: 'Good news' })
})

test('metaBody sends the sample’s handle for a media header', () => {
	for (const header_type of ['IMAGE', 'VIDEO', 'DOCUMENT'] as const) {
		assert.deepEqual(bodyOf({ header_type }, '4::aW1hZ2U=:ARZ'), {
			...HEAD,
			components: [{ type: 'HEADER', format: header_type, example: { header_handle: ['4::aW1hZ2U=:ARZ'] } }, BODY],
		})
		assert.throws(() => bodyOf({ header_type }), /needs its uploaded sample/)
	}
})

test('metaBody leaves out fields of another kind of header', () => {
	assert.deepEqual(bodyOf({ header_text: 'Left over', header_example: 'x' }).components, [BODY])
})

test('metaBody puts the footer after the body and before the buttons', () => {
	const sent = bodyOf({ footer_text: 'Meera Textiles', buttons: [{ type: 'QUICK_REPLY', text: 'Stop' }] })
	assert.deepEqual(sent.components, [
		BODY,
		{ type: 'FOOTER', text: 'Meera Textiles' },
		{ type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: 'Stop' }] },
	])
})

test('metaBody sends each kind of button with its own fields, in the given order', () => {
	const sent = bodyOf({
		buttons: [
			{ type: 'URL', text: ' See it ', url: ' https://x.example/a ', url_example: 'unused', phone_number: '1' },
			{ type: 'URL', text: 'Track', url: 'https://x.example/t/{{1}}', url_example: 'abc' },
			{ type: 'PHONE_NUMBER', text: 'Call', phone_number: '98765 43210' },
			{ type: 'PHONE_NUMBER', text: 'Call', phone_number: '+1 650-555-1234' },
			{ type: 'COPY_CODE', text: 'unused', code_example: ' SAVE10 ' },
			{ type: 'REQUEST_CONTACT_INFO', text: 'unused' },
			{ type: 'QUICK_REPLY', text: 'Stop', url: 'https://unused.example' },
		],
	})
	assert.deepEqual(sent.components[1], {
		type: 'BUTTONS',
		buttons: [
			{ type: 'URL', text: 'See it', url: 'https://x.example/a' },
			{ type: 'URL', text: 'Track', url: 'https://x.example/t/{{1}}', example: ['https://x.example/t/abc'] },
			{ type: 'PHONE_NUMBER', text: 'Call', phone_number: '+919876543210' },
			{ type: 'PHONE_NUMBER', text: 'Call', phone_number: '+16505551234' },
			{ type: 'COPY_CODE', example: 'SAVE10' },
			{ type: 'REQUEST_CONTACT_INFO' },
			{ type: 'QUICK_REPLY', text: 'Stop' },
		],
	})
})

test('metaBody sends an example that is a full address unchanged', () => {
	const [, part] = bodyOf({
		buttons: [{ type: 'URL', text: 'Track', url: 'https://x.example/t/{{1}}', url_example: 'https://x.example/t/abc' }],
	}).components
	assert.deepEqual(part?.buttons?.[0]?.['example'], ['https://x.example/t/abc'])
})

test('metaBody of an authentication template has Meta’s preset text and one button that copies the code', () => {
	const preset = { category: 'AUTHENTICATION', body_text: '' } as const
	const head = { ...HEAD, category: 'AUTHENTICATION' }
	assert.deepEqual(bodyOf(preset), {
		...head,
		components: [{ type: 'BODY' }, { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE' }] }],
	})
	const full = {
		add_security_recommendation: 'true',
		code_expiration_minutes: '10',
		otp_button_text: 'Copy Code',
	} as const
	assert.deepEqual(bodyOf({ ...preset, ...full }), {
		...head,
		components: [
			{ type: 'BODY', add_security_recommendation: true },
			{ type: 'FOOTER', code_expiration_minutes: 10 },
			{ type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE', text: 'Copy Code' }] },
		],
	})
})

test('buttonProblems allows one button that asks for the phone number, without a text', () => {
	const asks = { type: 'REQUEST_CONTACT_INFO' as const }
	assert.deepEqual([buttonProblems([asks]).length, buttonProblems([asks, asks]).length], [0, 1])
})

test('metaBody describes carousel, offer and location header as Meta documents them', () => {
	const card: CardDraft = {
		header_type: 'IMAGE',
		body_text: 'Sofa {{1}} in stock',
		body_examples: ['A1'],
		buttons: [{ type: 'URL', text: 'Buy', url: 'https://ex.in/{{1}}', url_example: 'a1' }],
	}
	const handles = { cards: ['4::a', '4::b'] }
	const carousel = (cards: CardDraft[]) =>
		CreateCarousel.parse(metaBody({ ...DRAFT, category: 'MARKETING', kind: 'CAROUSEL', cards }, handles))
	const [, { cards }] = carousel([card, card]).components
	assert.deepEqual(
		cards.map(({ components: [header] }) => header.example.header_handle),
		[['4::a'], ['4::b']],
	)
	carousel([
		{ ...card, body_text: '' },
		{ ...card, body_text: '' },
	])
	const buttons: TemplateDraft['buttons'] = [
		{ type: 'COPY_CODE', code_example: 'DIWALI25' },
		{ type: 'URL', text: 'Shop', url: 'https://ex.in' },
	]
	const offer = {
		...DRAFT,
		category: 'MARKETING',
		kind: 'LIMITED_TIME_OFFER',
		offer_text: 'Ends soon',
		buttons,
	} as const
	CreateOffer.parse(metaBody(offer))
	CreateOffer.parse(metaBody({ ...offer, header_type: 'IMAGE' }, { header: '4::a' }))
	CreateLocation.parse(metaBody({ ...DRAFT, header_type: 'LOCATION' }))
})
