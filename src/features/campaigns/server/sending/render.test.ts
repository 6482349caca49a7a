import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callbackData, readCallbackData } from '../message-id.ts'
import { createRenderer, type RenderPlan } from './render.ts'

const plan: RenderPlan = {
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

const LARGE = { campaignId: 9_000_000_001, seq: 999_999 }

test('our id is read back from a report, and any other text is not taken for one', () => {
	assert.deepEqual(readCallbackData('campaign:9000000001:999999'), { ...LARGE, attempt: 0 })
	for (const attempt of [0, 3])
		assert.deepEqual(readCallbackData(callbackData({ ...LARGE, attempt })), { ...LARGE, attempt })
	for (const other of ['', 'campaign:1', 'campaign:1:2:3', 'chat:1:2', 'campaign:x:2'])
		assert.equal(readCallbackData(other), null)
})
