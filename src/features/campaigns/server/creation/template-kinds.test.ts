import assert from 'node:assert/strict'
import { test } from 'node:test'
import { syncTemplates } from '#features/templates/server/sync/sync.ts'
import { getWallet } from '#features/wallet/server/ledger.ts'
import type { SeedTemplate } from '#simulator/control.ts'
import { campaignWhen, launchProduct, moneyFindings, sendingAccount, startCampaign } from '#test/full-stack.ts'

const product = await launchProduct()

/** Creates an account with one contact and a template. `send` runs a campaign and returns the components that arrived. */
async function accountWith(seed: Omit<SeedTemplate, 'waba_id' | 'name'>) {
	const sender = await sendingAccount(product, { contacts: 1 })
	const { waba_id } = sender.credentials
	const { id } = await product.simulator.control.addTemplate({ waba_id, name: 'kind', ...seed })
	await syncTemplates(product.process.context, sender.accountId)
	const create = (variables: Record<string, string>) =>
		startCampaign(product, { ...sender, templateId: id }, { variables })
	const send = async (variables: Record<string, string>) => {
		const campaignId = await create(variables)
		const { accountId } = sender
		await campaignWhen(product, { accountId, campaignId }, ({ status }) => status === 'completed')
		const number = `9155${String(accountId).padStart(3, '0')}000000`
		const { messages } = await product.simulator.control.received(number)
		const payload = messages[0]?.payload as { template?: { components?: unknown } } | undefined
		return payload?.template?.components
	}
	return { ...sender, create, send }
}

test('a campaign with named variables is accepted by the network', async () => {
	const { send } = await accountWith({
		parameter_format: 'NAMED',
		components: [
			{ type: 'HEADER', format: 'TEXT', text: 'For {{first_name}}' },
			{ type: 'BODY', text: 'Hi {{first_name}}, your order {{order_id}} is packed.' },
		],
	})
	assert.deepEqual(await send({ header_first_name: 'you', first_name: '{{firstName}}', order_id: 'A-17' }), [
		{ type: 'header', parameters: [{ type: 'text', parameter_name: 'first_name', text: 'you' }] },
		{
			type: 'body',
			parameters: [
				{ type: 'text', parameter_name: 'first_name', text: 'Contact 0' },
				{ type: 'text', parameter_name: 'order_id', text: 'A-17' },
			],
		},
	])
	assert.deepEqual(await moneyFindings(product.db), [])
})

test('a campaign with a code to copy and a link is accepted by the network', async () => {
	const { send } = await accountWith({
		components: [
			{ type: 'BODY', text: 'Your code is inside.' },
			{
				type: 'BUTTONS',
				buttons: [
					{ type: 'COPY_CODE', text: 'Copy', example: ['SAVE10'] },
					{ type: 'URL', text: 'Shop', url: 'https://x.example/{{1}}' },
				],
			},
		],
	})
	assert.deepEqual(await send({ code1: 'SAVE20', url2: 'a17' }), [
		{ type: 'button', sub_type: 'copy_code', index: '0', parameters: [{ type: 'coupon_code', coupon_code: 'SAVE20' }] },
		{ type: 'button', sub_type: 'url', index: '1', parameters: [{ type: 'text', text: 'a17' }] },
	])
})

const BODY = { type: 'BODY', text: 'Look at this.' }

for (const [what, components, message] of [
	[
		'whose header’s file is not here',
		[{ type: 'HEADER', format: 'IMAGE' }, BODY],
		'Please upload the header file of this template first',
	],
	['with a place that is not filled in', [{ type: 'HEADER', format: 'LOCATION' }, BODY], 'Name of the place is empty'],
	['with a carousel', [BODY, { type: 'CAROUSEL', cards: [] }], /a part of the kind CAROUSEL/],
] as const) {
	test(`a campaign with a template ${what} is refused before any money is held`, async () => {
		const { create, accountId } = await accountWith({ components: [...components] })
		await assert.rejects(create({}), { status: 400, message })
		assert.deepEqual(await getWallet(product.db, accountId), { availablePaise: 100, heldPaise: 0 })
		const rows = await product.db`select 1 from campaigns where account_id = ${accountId}`
		assert.equal(rows.length, 0)
	})
}

test('a campaign with a template that is gone, or not approved, is refused', async () => {
	const { create, accountId } = await accountWith({ components: [BODY] })
	await product.db`update templates set gone_at = now() where account_id = ${accountId}`
	await assert.rejects(create({}), { status: 400, message: /no longer exists at WhatsApp/ })
	await product.db`update templates set gone_at = null, status = 'PAUSED' where account_id = ${accountId}`
	await assert.rejects(create({}), { status: 400, message: /is not approved/ })
})
