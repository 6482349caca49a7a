import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listCustomColumns } from '#features/audiences/server/merge-column-queries.ts'
import { measureAudience } from '#features/audiences/server/recipients/merge-values.ts'
import { campaigns } from '#features/campaigns/contract.ts'
import { campaignPreflight } from '#features/campaigns/preflight-contract.ts'
import { campaignReports } from '#features/campaigns/report-contract.ts'
import { readValues } from '#features/contacts/custom-fields.ts'
import { createField } from '#features/contacts/server/fields/fields.ts'
import { writeGiven } from '#features/contacts/server/fields/values.ts'
import { createRenderer } from '#features/delivery/server/message/render.ts'
import { fits, openParts } from '#features/templates/filled.ts'
import type { PartOut } from '#lib/endpoint.ts'
import { ERASED_PREFIX } from '#lib/phone/phone.ts'
import { transaction } from '#lib/server/db.ts'
import { account, contact, template, type TestAccount } from '#test/factories.ts'
import { campaignForm, LATER } from '#test/full-stack.ts'
import { launchTestApp } from '#test/http-app.ts'
import { editCampaign } from '../edit-service.ts'
import { createCampaign, type CampaignForm } from '../service.ts'
import { sendTest } from './single-message.ts'

const app = await launchTestApp()
const { db } = app.context

const BODY = { type: 'BODY', text: `Your order: {{1}}. ${'x'.repeat(990)}` }
const LINK = {
	type: 'BUTTONS',
	buttons: [{ type: 'URL', text: 'Track', url: 'https://shop.example/track/{{1}}', example: ['12'] }],
}

interface Shop extends TestAccount {
	templateId: string
}

/** Creates an account with a text field "City", one contact for each of `cities`, and a template. */
async function shop(components: object[], cities: readonly string[]): Promise<Shop> {
	const tenant = await account(app.context, { balancePaise: 100_000 })
	const field = await createField(db, tenant.accountId, { name: 'City', type: 'text' })
	for (const city of cities) {
		const { number } = await contact(db, tenant.accountId)
		const given = new Map([[number, readValues([field], { City: city })]])
		await transaction(db, (sql) => writeGiven(sql, tenant.accountId, { given, existing: 'replace' }))
	}
	const { templateId } = await template(db, tenant.accountId, { components: components as [] })
	return { ...tenant, templateId }
}

const create = (tenant: Shop, form: Partial<CampaignForm>) =>
	createCampaign(app.context, tenant.accountId, campaignForm(tenant.templateId, form))

async function estimate(tenant: Shop, variables: Record<string, string>) {
	const body = { audienceType: 'all', templateId: tenant.templateId, variables } as const
	const { body: answer } = await app.call(campaignPreflight.estimate, { body }, tenant)
	type Estimate = PartOut<typeof campaignPreflight.estimate.response>
	return (answer as Estimate).problems.filter(({ kind }) => kind === 'variables').map(({ message }) => message)
}

const csv = (text: string) => new File([text], 'people.csv', { type: 'text/csv' })

test('estimate and creation say how many recipients would get a body of more than 1,024 characters, counted in code points', async () => {
	const tenant = await shop([BODY], ['Pune', '🙂'.repeat(21), '🙂'.repeat(22), 'Thiruvananthapuram (North)'])
	// The body has 1,004 characters besides the value, so a value may have 20.
	const text = 'Your order: . ' + 'x'.repeat(990)
	assert.equal(1024 - text.length, 20)
	const message =
		'3 recipients would get a body of more than 1,024 characters, which WhatsApp refuses. Shorten the text, or the values of {{City}}'
	assert.deepEqual(await estimate(tenant, { var1: '{{City}}' }), [message])
	await assert.rejects(create(tenant, { variables: { var1: '{{City}}' } }), { status: 400, message })
	const id = await create(tenant, { variables: { var1: '{{firstName}}' }, ...LATER })
	const edited = { name: 'Changed', description: '', variables: { var1: '{{City}}' }, ...LATER }
	await assert.rejects(editCampaign(db, tenant.accountId, { campaignId: String(id), form: edited }), { message })
	const rows = await db`select from campaigns where account_id = ${tenant.accountId}`
	assert.equal(rows.length, 1, 'the refused orders wrote nothing')
})

test('a file whose values make the body too long is refused with the number of its rows, and one with shorter values is sent', async () => {
	const tenant = await shop([BODY], [])
	const order = {
		name: 'Offer',
		templateId: tenant.templateId,
		audienceType: 'file',
		variables: '{"var1":"{{ town }}"}',
	}
	const file = csv(`Mobile,Town\n9876543210,Pune\n9876543211,${'a'.repeat(21)}\n`)
	const refused = await app.call(campaigns.create, { body: order as never, files: { file } }, tenant)
	assert.equal(refused.status, 400)
	assert.match(refused.body.message ?? '', /^1 recipient would get a body of more than 1,024 characters/)
	const read = await app.call(
		campaignPreflight.audienceFile,
		{ body: { templateId: tenant.templateId, variables: '{"var1":"{{town}}"}' }, files: { file } },
		tenant,
	)
	assert.ok(read.body.problems.some(({ message }) => message.startsWith('1 recipient would get a body')))
	const shorter = csv('Mobile,Town\n9876543210,Pune\n')
	const created = await app.call(campaigns.create, { body: order as never, files: { file: shorter } }, tenant)
	assert.equal(created.status, 200, created.body.message)
	const [row] = await db<{ tags: string[]; values: string[] }[]>`
		select c.merge_tags as tags, m.merge_values as values from campaigns c
		join campaign_messages m on m.account_id = c.account_id and m.campaign_id = c.id
		where c.account_id = ${tenant.accountId}
	`
	assert.deepEqual({ ...row }, { tags: ['Town'], values: ['Pune'] })
})

test('{{city}} and {{ CITY }} are filled with the field City, and a name that only resembles it is refused', async () => {
	const tenant = await shop([{ type: 'BODY', text: 'Hi {{1}} and {{2}}!' }], ['Pune'])
	const id = await create(tenant, { variables: { var1: '{{city}}', var2: '{{ CITY |there}}' } })
	const [row] = await db<{ variables: object; values: string[] }[]>`
		select c.variables, m.merge_values as values from campaigns c
		join campaign_messages m on m.account_id = c.account_id and m.campaign_id = c.id
		where c.account_id = ${tenant.accountId} and c.id = ${id}
	`
	assert.deepEqual({ ...row }, { variables: { var1: '{{City}}', var2: '{{City|there}}' }, values: ['Pune'] })
	assert.deepEqual(await estimate(tenant, { var1: '{{cITY}}', var2: 'x' }), [])
	await assert.rejects(create(tenant, { variables: { var1: '{{cities}}', var2: 'x' } }), {
		message: /have no “cities”/,
	})
})

test('campaignReports.samples returns each recipient’s own values, the fallback of an empty one, and no erased recipient', async () => {
	const SHOP = 'Asha Sarees'
	const tenant = await shop([{ type: 'BODY', text: 'Hi {{1}} from {{2}}!' }], ['Pune', '', 'Nashik'])
	const id = String(await create(tenant, { variables: { var1: '{{City|your city}}', var2: SHOP } }))
	const read = async () => {
		const { body } = await app.call(campaignReports.samples, { params: { id } }, tenant)
		return body.samples.map(({ variables }) => variables)
	}
	assert.deepEqual(await read(), [
		{ var1: 'Pune', var2: SHOP },
		{ var1: 'your city', var2: SHOP },
		{ var1: 'Nashik', var2: SHOP },
	])
	await db`
		update campaign_messages set number = ${`${ERASED_PREFIX}1`}
		where account_id = ${tenant.accountId} and campaign_id = ${id} and seq = 1
	`
	assert.deepEqual(await read(), [
		{ var1: 'your city', var2: SHOP },
		{ var1: 'Nashik', var2: SHOP },
	])
})

test('a name that is the recipient’s own number counts as empty in the estimate, in the message and in a file', async () => {
	const tenant = await shop([{ type: 'BODY', text: 'Namaste {{1}}!' }], [])
	const { accountId } = tenant
	const names = [
		['919822012340', 'Asha', null],
		['919822012341', '+919822012341', null],
		['919822012342', '098220 12342', 'Rao'],
		['919822012343', '+91', '98220 12343'],
		// The number of another person.
		['919822012344', '9822012345', null],
	] as const
	for (const [number, firstName, lastName] of names) await contact(db, accountId, { number, firstName, lastName })
	assert.deepEqual(await estimate(tenant, { var1: '{{firstName}}' }), [
		'3 people have no first name. Type what they should read instead, e.g. friend.',
	])
	const id = String(await create(tenant, { variables: { var1: '{{firstName|friend}}' } }))
	const { body } = await app.call(campaignReports.samples, { params: { id } }, tenant)
	assert.deepEqual(
		body.samples.map(({ variables }) => variables['var1']),
		['Asha', 'friend', 'friend', 'friend', '9822012345'],
	)
	const rows = names.map(([number, firstName, lastName]) => `${firstName},${lastName ?? ''},${number}`)
	const file = csv(['First name,Last name,Mobile', ...rows].join('\n'))
	const order = {
		name: 'From a file',
		templateId: tenant.templateId,
		audienceType: 'file',
		variables: '{"var1":"{{firstName|friend}}"}',
	}
	const created = await app.call(campaigns.create, { body: order as never, files: { file } }, tenant)
	assert.equal(created.status, 200, created.body.message)
	const [row] = await db<{ values: (string | null)[] }[]>`
		select array_agg(merge_values[1] order by seq) as values from campaign_messages
		where account_id = ${accountId} and campaign_id = ${created.body.campaign._id}
	`
	assert.deepEqual(row?.values, ['Asha', null, null, null, '9822012345'])
})

test('unclosed, nested and empty braces are refused at creation, estimate, test and edit', async () => {
	const tenant = await shop([{ type: 'BODY', text: 'Hi {{1}}!' }], ['Pune'])
	const id = await create(tenant, LATER)
	for (const value of [
		'{{City',
		'City}}',
		'{{City|{{firstName}}}}',
		'{{{City}}}',
		'Hi {{}}',
		'{{City} there',
		'{{City|a',
	]) {
		const variables = { var1: value }
		const refusal = { status: 400, message: /braces that form no merge tag/ }
		await assert.rejects(create(tenant, { variables }), refusal, value)
		await assert.rejects(
			sendTest(db, tenant.accountId, { number: '9876543210', templateId: tenant.templateId, variables }),
			refusal,
			value,
		)
		const form = { name: 'Changed', description: '', variables, ...LATER }
		await assert.rejects(editCampaign(db, tenant.accountId, { campaignId: String(id), form }), refusal, value)
		assert.match((await estimate(tenant, variables)).join(), /braces that form no merge tag/, value)
	}
})

const ENDS = [
	'12',
	'https://shop.example/track/12',
	'HTTP://www.Shop.example/track/12',
	'shop.example/track/12',
	'https://shop.example/track/',
	'https://other.example/12',
	'www.other.example',
	'//other.example/12',
	'AB 12/7 #5',
	'AB12/7#5',
	'shop.example',
	'https',
	'a'.repeat(200),
]

test('the database and the form refuse the same link values, such as one with a space or another site, and accept the link’s whole address', async () => {
	const components = [{ type: 'BODY', text: 'On its way!' }, LINK]
	const variables = { url1: '{{City|12}}' }
	const [part] = openParts(components, variables)
	assert.ok(part)
	for (const value of ENDS) {
		const tenant = await shop(components, [value])
		const customColumns = await listCustomColumns(db, tenant.accountId)
		const audience = { groupId: null, segment: null, isMarketing: false, cap: null }
		const { errors } = await measureAudience(db, tenant.accountId, { audience, components, variables, customColumns })
		assert.equal(
			errors.length === 0,
			fits(part, () => value),
			value,
		)
	}
	const fitting = ENDS.filter((value) => fits(part, () => value))
	assert.deepEqual(fitting, [...ENDS.slice(0, 4), 'AB12/7#5', 'shop.example', 'https', 'a'.repeat(200)])
	const tenant = await shop(components, ['https://shop.example/track/12', 'AB 12/7 #5'])
	await assert.rejects(create(tenant, { variables }), {
		message:
			'1 recipient has a value in {{City}} that cannot end the link https://shop.example/track/: nothing, one with a space, or the address of another page',
	})
	await assert.rejects(create(tenant, { variables: { url1: 'https://other.example/12' } }), {
		message: /cannot follow https:\/\/shop.example\/track\/: enter what comes after it, without spaces/,
	})
})

test('a message carries only the end of a link when the value repeats the address of its button', () => {
	const render = createRenderer({
		account: 1,
		campaignId: 1,
		template: { name: 'track', language: 'en', components: [{ type: 'BODY', text: 'On its way!' }, LINK] },
		variables: { url1: '{{Link}}' },
		mergeTags: ['Link'],
		mediaId: null,
		headerFilename: null,
		restoreGenerations: { mark: (data: string) => data },
		links: { tokenOf: () => '' },
	})
	const endOf = (value: string) => {
		const message = JSON.parse(render({ seq: 1, number: '919876543210', mergeValues: [value] })) as {
			template: { components: { parameters: { text: string }[] }[] }
		}
		return message.template.components[0]?.parameters[0]?.text
	}
	assert.equal(endOf('https://shop.example/track/12'), '12')
	assert.equal(endOf('shop.example/track/12?a=b'), '12?a=b')
	assert.equal(endOf('12'), '12')
})
