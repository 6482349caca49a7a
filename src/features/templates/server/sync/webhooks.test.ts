import assert from 'node:assert/strict'
import { test } from 'node:test'
import { launchProduct, sendingAccount } from '#test/full-stack.ts'
import { until } from '#test/until.ts'
import { createTemplate } from '../creation/create.ts'
import { getTemplate } from '../service.ts'

const product = await launchProduct()

const FORM = {
	name: 'order_update',
	category: 'UTILITY',
	language: 'en_US',
	header_type: 'NONE',
	body_text: 'Dear {{1}}, your order is on its way.',
	body_examples: ['Asha'],
	buttons: [],
	kind: 'STANDARD',
	cards: [],
	header_from: undefined,
} as const

test('webhooks change status, quality, category and texts of a template created here, and notify its account', async () => {
	const { context } = product.process
	const { accountId, credentials } = await sendingAccount(product, { contacts: 1 })
	const { control } = product.simulator
	await control.setReviewDelay({ ms: 1500 })
	const form = { ...FORM, body_examples: [...FORM.body_examples], buttons: [], cards: [] }
	const id = await createTemplate(context, accountId, { form, file: null })
	const becomes = (isSo: (template: Awaited<ReturnType<typeof getTemplate>>) => boolean) =>
		until(async () => isSo(await getTemplate(product.db, accountId, id)))
	await becomes(({ status }) => status === 'APPROVED')
	const ref = { waba_id: credentials.waba_id, name: FORM.name, language: FORM.language }
	await control.setTemplateQuality({ ...ref, quality: 'RED' })
	await becomes(({ quality }) => quality === 'LOW')
	await control.recategoriseTemplate({ ...ref, category: 'AUTHENTICATION', detected: true })
	await becomes(({ correctCategory }) => correctCategory === 'AUTHENTICATION')
	await control.recategoriseTemplate({ ...ref, category: 'MARKETING', impending: true })
	await becomes(({ correctCategory }) => correctCategory === 'MARKETING')
	await control.recategoriseTemplate({ ...ref, category: 'MARKETING' })
	await becomes(({ category, correctCategory }) => category === 'MARKETING' && correctCategory === null)
	await control.sendWebhook({
		waba_id: credentials.waba_id,
		field: 'message_template_components_update',
		value: {
			message_template_id: 1,
			message_template_name: FORM.name,
			message_template_language: 'en-US',
			message_template_element: 'Dear {{1}}, it is on its way.',
		},
	})
	await becomes(({ components }) => components[0]?.text === 'Dear {{1}}, it is on its way.')
	const notes = await product.db<{ text: string }[]>`
		select text from notifications where account_id = ${accountId} and text like '%Order update%' order by id
	`
	assert.deepEqual(
		notes.map(({ text }) => text.replace('emplate "Order update"', 'emplate it')),
		[
			'Template it was approved',
			'Template it has low quality now: WhatsApp may pause it',
			'WhatsApp may move template it to AUTHENTICATION: new campaigns would then cost the AUTHENTICATION price',
			'WhatsApp will soon move template it to MARKETING: new campaigns will then cost the MARKETING price',
			'Template it is now MARKETING, not UTILITY: new campaigns cost the MARKETING price',
		],
	)
	const kept = await product.db`select kept_because from webhook_deliveries where account_id = ${accountId}`
	assert.deepEqual([...kept], [])
})
