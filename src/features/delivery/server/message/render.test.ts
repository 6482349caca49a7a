import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callbackData, readCallbackData } from './message-id.ts'
import { createRenderer, type RenderPlan } from './render.ts'
import { UNMARKED } from './restore-generations.ts'

const plan: RenderPlan = {
	restoreGenerations: UNMARKED,
	links: { tokenOf: ({ account, campaignId, seq, button }) => [account, campaignId, seq, button].join('-') },
	account: 7,
	campaignId: 12,
	template: {
		name: 'offer',
		language: 'en_US',
		components: [
			{ type: 'HEADER', format: 'IMAGE' },
			{ type: 'BODY', text: 'Hi {{1}}, {{2}}' },
			{
				type: 'BUTTONS',
				buttons: [
					{ type: 'QUICK_REPLY', text: 'Stop' },
					{ type: 'URL', text: 'Open', url: 'https://x.example/{{1}}' },
				],
			},
		],
	},
	variables: { var1: 'dear {{firstName|friend}}', var2: '40% off', url2: '{{number}}' },
	mergeTags: ['firstName', 'number'],
	mediaId: '555',
	headerFilename: 'offer.jpg',
}

test('createRenderer writes the number with its plus, our id, and a value for each variable', () => {
	const body = JSON.parse(
		createRenderer(plan)({ seq: 3, number: '919876543210', mergeValues: [null, '+919876543210'] }),
	) as unknown
	assert.deepEqual(body, {
		messaging_product: 'whatsapp',
		recipient_type: 'individual',
		to: '+919876543210',
		type: 'template',
		template: {
			name: 'offer',
			language: { code: 'en_US', policy: 'deterministic' },
			components: [
				{ type: 'header', parameters: [{ type: 'image', image: { id: '555' } }] },
				{
					type: 'body',
					parameters: [
						{ type: 'text', text: 'dear friend' },
						{ type: 'text', text: '40% off' },
					],
				},
				{ type: 'button', sub_type: 'url', index: '1', parameters: [{ type: 'text', text: '+919876543210' }] },
			],
		},
		biz_opaque_callback_data: 'campaign:12:3',
	})
})

test('createRenderer writes no components for a template without variables', () => {
	const template = {
		name: 'plain',
		language: 'hi',
		components: [
			{ type: 'BODY', text: 'Namaste' },
			{ type: 'FOOTER', text: 'Shop' },
		],
	}
	const render = createRenderer({ ...plan, template, variables: {}, mergeTags: [], mediaId: null })
	const body = JSON.parse(render({ seq: 1, number: '91', mergeValues: null })) as { template: object }
	assert.equal('components' in body.template, false)
})

/** Returns the components that a message with these template components and variables sends to Meta. */
function sent(
	components: RenderPlan['template']['components'],
	variables: Record<string, string>,
	mediaId: string | null = null,
) {
	const template = { name: 'x', language: 'en', components }
	const render = createRenderer({ ...plan, template, variables, mediaId, headerFilename: 'price-list.pdf' })
	const message = { seq: 1, number: '919876543210', mergeValues: ['Asha', '+919876543210'] }
	const body = JSON.parse(render(message)) as { template: { components?: unknown } }
	return body.template.components
}

test('createRenderer names the parameters of named variables, in header and body', () => {
	const components = [
		{ type: 'HEADER', format: 'TEXT', text: 'For {{first_name}}' },
		{ type: 'BODY', text: 'Hi {{first_name}}, order {{order_id}} is packed.' },
	]
	const variables = { header_first_name: 'Ana', first_name: '{{firstName}}', order_id: 'A-17' }
	assert.deepEqual(sent(components, variables), [
		{ type: 'header', parameters: [{ type: 'text', parameter_name: 'first_name', text: 'Ana' }] },
		{
			type: 'body',
			parameters: [
				{ type: 'text', parameter_name: 'first_name', text: 'Asha' },
				{ type: 'text', parameter_name: 'order_id', text: 'A-17' },
			],
		},
	])
})

test('createRenderer sends positional parameters in the order of their numbers', () => {
	const components = [
		{ type: 'HEADER', format: 'TEXT', text: 'Order {{1}}' },
		{ type: 'BODY', text: 'Hi {{2}}, your {{1}} and {{2}} again' },
	]
	assert.deepEqual(sent(components, { header1: 'A-17', var1: 'saree', var2: 'Ana' }), [
		{ type: 'header', parameters: [{ type: 'text', text: 'A-17' }] },
		{
			type: 'body',
			parameters: [
				{ type: 'text', text: 'saree' },
				{ type: 'text', text: 'Ana' },
			],
		},
	])
})

const fileHeader = (format: string) =>
	sent(
		[
			{ type: 'HEADER', format },
			{ type: 'BODY', text: 'Hi' },
		],
		{},
		'555',
	)

test('createRenderer sends each kind of header file by its id, and a document with its name', () => {
	assert.deepEqual(fileHeader('IMAGE'), [{ type: 'header', parameters: [{ type: 'image', image: { id: '555' } }] }])
	assert.deepEqual(fileHeader('VIDEO'), [{ type: 'header', parameters: [{ type: 'video', video: { id: '555' } }] }])
	const document = { id: '555', filename: 'price-list.pdf' }
	assert.deepEqual(fileHeader('DOCUMENT'), [{ type: 'header', parameters: [{ type: 'document', document }] }])
})

test('createRenderer fills links with a variable and codes by their position, and no other button', () => {
	const buttons = [
		{ type: 'URL', text: 'Track', url: 'https://x.example/{{1}}' },
		{ type: 'URL', text: 'Shop', url: 'https://x.example' },
		{ type: 'PHONE_NUMBER', text: 'Call', phone_number: '+919876543210' },
		{ type: 'COPY_CODE', example: 'SAVE10' },
		{ type: 'QUICK_REPLY', text: 'Stop' },
	]
	const components = [
		{ type: 'BODY', text: 'Hi' },
		{ type: 'BUTTONS', buttons },
	]
	assert.deepEqual(sent(components, { url1: 'a17', code4: 'SAVE20' }), [
		{ type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: 'a17' }] },
		{ type: 'button', sub_type: 'copy_code', index: '3', parameters: [{ type: 'coupon_code', coupon_code: 'SAVE20' }] },
	])
})

test('createRenderer ends a counted link with the token of each message', () => {
	// The target is https://a.example/ and the signature eight bytes of 0.
	const example = Buffer.concat([Buffer.of(0x20), Buffer.from('https://a.example/'), Buffer.alloc(8)])
	const url = 'https://go.example/l/'
	const buttons = [
		{ type: 'QUICK_REPLY', text: 'Yes' },
		{ type: 'URL', text: 'Shop', url: `${url}{{1}}`, example: [url + example.toString('base64url')] },
	]
	assert.deepEqual(
		sent(
			[
				{ type: 'BODY', text: 'Hi' },
				{ type: 'BUTTONS', buttons },
			],
			{},
		),
		[{ type: 'button', sub_type: 'url', index: '1', parameters: [{ type: 'text', text: '7-12-1-1' }] }],
	)
})

test('createRenderer sends an authentication template’s code in its body and its button', () => {
	const url = 'https://www.whatsapp.com/otp/code/?otp_type=COPY_CODE&code=otp{{1}}'
	const components = [
		{ type: 'BODY', text: '*{{1}}* is your verification code.' },
		{ type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Copy code', url }] },
	]
	const parameters = [{ type: 'text', text: '123456' }]
	assert.deepEqual(sent(components, { var1: '123456', url1: '123456' }), [
		{ type: 'body', parameters },
		{ type: 'button', sub_type: 'url', index: '0', parameters },
	])
})

const LARGE = { campaignId: 9_000_000_001, seq: 999_999 }

test('readCallbackData returns campaign and seq of our own id, and null for any other text', () => {
	assert.deepEqual(readCallbackData(callbackData(LARGE)), LARGE)
	assert.deepEqual(readCallbackData('campaign:9000000001:999999'), LARGE)
	for (const other of ['', 'campaign:1', 'campaign:1:2:3', 'chat:1:2', 'campaign:x:2'])
		assert.equal(readCallbackData(other), null)
})
