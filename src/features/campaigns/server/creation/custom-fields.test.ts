import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FORMATS, type Format } from '#features/audiences/contract.ts'
import type { Rule } from '#features/audiences/segment-contract.ts'
import { listCustomColumns, mergeOf } from '#features/audiences/server/merge-column-queries.ts'
import { createSegment } from '#features/audiences/server/segments/segments.ts'
import { formatValue } from '#features/audiences/values.ts'
import { campaigns } from '#features/campaigns/contract.ts'
import { campaignPreflight } from '#features/campaigns/preflight-contract.ts'
import { type FieldType, numberOfValue, readValues } from '#features/contacts/custom-fields.ts'
import { createField, ensureTags, removeField, removeTag } from '#features/contacts/server/fields/fields.ts'
import { writeGiven } from '#features/contacts/server/fields/values.ts'
import { createGroup, removeGroup } from '#features/contacts/server/groups/groups.ts'
import type { PartOut } from '#lib/endpoint.ts'
import { transaction } from '#lib/server/db.ts'
import { account, contact, template, type TestAccount } from '#test/factories.ts'
import { campaignForm, LATER } from '#test/full-stack.ts'
import { launchTestApp } from '#test/http-app.ts'
import { untilLocked } from '#test/until.ts'
import { createCampaign, readOrder, type CampaignForm } from '../service.ts'
import { writeOrder } from './write-order.ts'

const app = await launchTestApp()

const FIELDS: [string, FieldType][] = [
	['city', 'text'],
	['Amount due', 'number'],
	['Points', 'number'],
	['Due date', 'date'],
	['Member', 'yesno'],
]

async function shop(): Promise<TestAccount & { templateId: string }> {
	const tenant = await account(app.context, { balancePaise: 100_000 })
	const { db } = app.context
	const fields = []
	for (const [name, type] of FIELDS) fields.push(await createField(db, tenant.accountId, { name, type }))
	const { number } = await contact(db, tenant.accountId, { firstName: 'Asha' })
	await contact(db, tenant.accountId, { firstName: 'Rahul' })
	const typed = { city: 'Pune', 'Amount due': '123456.5', Points: '1200', 'Due date': '5/9/2026', Member: 'y' }
	const given = new Map([[number, readValues(fields, typed)]])
	await transaction(db, (sql) => writeGiven(sql, tenant.accountId, { given, existing: 'replace' }))
	const { templateId } = await template(db, tenant.accountId)
	return { ...tenant, templateId }
}

async function valuesOf(tenant: TestAccount, id: number): Promise<(string | null)[][]> {
	const rows = await app.context.db<{ values: (string | null)[] }[]>`
		select merge_values as values from campaign_messages
		where account_id = ${tenant.accountId} and campaign_id = ${id} order by seq
	`
	return rows.map(({ values }) => values)
}

const create = (tenant: TestAccount & { templateId: string }, form: Partial<CampaignForm>) =>
	createCampaign(app.context, tenant.accountId, campaignForm(tenant.templateId, form))

test('a campaign to contacts fills in their custom fields, with numbers and dates in Indian or in the chosen formats', async () => {
	const tenant = await shop()
	const var1 = '{{city|your city}} {{Amount due|nothing}} {{Points|0}} {{Due date|soon}} {{Member|no}} {{firstName}}'
	const usual = await create(tenant, { variables: { var1 } })
	assert.deepEqual(await valuesOf(tenant, usual), [
		['Pune', '₹1,23,456.50', '1,200', '5 Sept 2026', 'Yes', 'Asha'],
		[null, null, null, null, null, 'Rahul'],
	])
	const formats = { 'Amount due': 'typed', Points: 'rupees', 'Due date': 'slashes', city: 'day' } as const
	const chosen = await create(tenant, { variables: { var1 }, formats })
	assert.deepEqual((await valuesOf(tenant, chosen))[0], ['Pune', '123456.5', '₹1,200.00', '05/09/2026', 'Yes', 'Asha'])
})

test('a custom field without a fallback is refused when a recipient has no value, and an unknown field always', async () => {
	const tenant = await shop()
	await assert.rejects(create(tenant, { variables: { var1: '{{city}}' } }), {
		status: 400,
		message: '1 person has no city. Type what they should read instead, e.g. friend.',
	})
	await assert.rejects(create(tenant, { variables: { var1: '{{town}}' } }), { status: 400, message: /have no “town”/ })
	type Estimate = PartOut<typeof campaignPreflight.estimate.response>
	const variables = { var1: '{{city|x}} {{firstName}} {{Points|0}}' }
	const body = { audienceType: 'all', templateId: tenant.templateId, variables } as const
	const { body: estimate } = await app.call(campaignPreflight.estimate, { body }, tenant)
	assert.deepEqual((estimate as Estimate).gaps, { city: 1, Points: 1 })
})

test('an order needs values only of its own recipients, and a repeated order returns its campaign even if a contact has lost a value', async () => {
	const tenant = await shop()
	const { db } = app.context
	await db`update contacts set opted_out_at = now() where account_id = ${tenant.accountId} and first_name = 'Rahul'`
	const order = { name: 'Diwali', requestId: 'answer-lost', variables: { var1: '{{city}}' } }
	const id = await create(tenant, order)
	assert.deepEqual(await valuesOf(tenant, id), [['Pune']])
	await db`update contacts set opted_out_at = null where account_id = ${tenant.accountId}`
	assert.equal(await create(tenant, order), id)
})

test('writeOrder returns 409 when a field that the order fills in was deleted since the order was read', async () => {
	const tenant = await shop()
	const { db } = app.context
	const form = campaignForm(tenant.templateId, { variables: { var1: '{{city|x}}' } })
	const order = await readOrder(db, tenant.accountId, form)
	const city = (await listCustomColumns(db, tenant.accountId)).get('city')
	await removeField(db, tenant.accountId, String(city?.field.id))
	await assert.rejects(
		transaction(db, (sql) => writeOrder(sql, tenant.accountId, order)),
		{ status: 409, message: 'Contacts have no {{city}} any more. Choose another value, then send again.' },
	)
})

/** Rules that exclude contacts, each with the deletion of the field, tag or group that it names. */
const EXCLUSIONS: ((accountId: TestAccount['accountId']) => Promise<[rule: Rule, remove: () => Promise<void>]>)[] = [
	async (accountId) => {
		const { id } = await createField(app.context.db, accountId, { name: 'Blocked', type: 'yesno' })
		const field = String(id)
		return [
			{ kind: 'field', field, operator: 'isNot', value: 'yes' },
			() => removeField(app.context.db, accountId, field),
		]
	},
	async (accountId) => {
		const tag = String((await ensureTags(app.context.db, accountId, { names: ['Blocked'] })).get('blocked'))
		return [{ kind: 'tag', is: false, tag }, () => removeTag(app.context.db, accountId, tag)]
	},
	async (accountId) => {
		const made = await createGroup(app.context.db, accountId, { name: 'Blocked', type: 'national', description: null })
		const group = String(made.id)
		return [{ kind: 'group', is: false, group }, () => removeGroup(app.context.db, accountId, { id: group })]
	},
]

test('writeOrder refuses a segment whose rule names a field, tag or group that was deleted since the order was read', async () => {
	const { db } = app.context
	for (const exclude of EXCLUSIONS) {
		const { accountId, templateId } = await shop()
		const [rule, remove] = await exclude(accountId)
		const segment = await createSegment(db, accountId, { name: 'Allowed', match: 'all', rules: [rule] })
		const chosen = { audienceType: 'segment', segmentId: String(segment.id), ...LATER } as const
		const order = await readOrder(db, accountId, campaignForm(templateId, { variables: { var1: 'you' }, ...chosen }))
		await remove()
		await assert.rejects(
			transaction(db, (sql) => writeOrder(sql, accountId, order)),
			{ status: 400, message: /^Rule 1: this (field|tag|group) was deleted$/ },
		)
		assert.equal((await db`select 1 from campaigns where account_id = ${accountId}`).length, 0)
	}
})

test('a field, tag or group that a segment names is deleted only after the campaign to the segment is written', async () => {
	const { db } = app.context
	for (const exclude of EXCLUSIONS) {
		const { accountId, templateId } = await shop()
		const [rule, remove] = await exclude(accountId)
		const segment = await createSegment(db, accountId, { name: 'Allowed', match: 'all', rules: [rule] })
		const chosen = { audienceType: 'segment', segmentId: String(segment.id), ...LATER } as const
		const order = await readOrder(db, accountId, campaignForm(templateId, { variables: { var1: 'you' }, ...chosen }))
		const { removing } = await transaction(db, async (sql) => {
			await writeOrder(sql, accountId, order)
			const begun = { removing: remove() }
			await untilLocked(db)
			return begun
		})
		await removing
	}
})

test('an edit of a scheduled campaign can add a custom field, and keeps the values of a deleted field', async () => {
	const tenant = await shop()
	const formats = { Points: 'rupees' } as const
	const id = await create(tenant, { variables: { var1: '{{Points|0}}' }, formats, ...LATER })
	const [points] = await app.context.db<{ id: string }[]>`
		select id::text from contact_fields where account_id = ${tenant.accountId} and name = 'Points'
	`
	await removeField(app.context.db, tenant.accountId, points?.id ?? '')
	const body = { name: 'Changed', variables: { var1: '{{Points|0}} {{city|your city}}' }, ...LATER }
	const { status } = await app.call(campaigns.update, { params: { id: String(id) }, body }, tenant)
	assert.equal(status, 200)
	assert.deepEqual((await valuesOf(tenant, id))[0], ['₹1,200.00', 'Pune'])
})

test('the database writes numbers and dates in every format as the preview does', async () => {
	const { accountId } = await shop()
	const { db } = app.context
	const numbers = [
		'0',
		'7',
		'-7.5',
		'100',
		'999',
		'1000',
		'99999',
		'100000',
		'1234567.25',
		'-123456789012',
		'0.005',
		'12.345',
	]
	const days = Array.from(
		{ length: 12 },
		(_, month) => `2026-${String(month + 1).padStart(2, '0')}-0${(month % 9) + 1}`,
	)
	const check = async (name: string, values: string[], format: Format) => {
		const customColumns = await listCustomColumns(db, accountId, { formats: { [name]: format } })
		const column = customColumns.get(name)
		assert.ok(column && column.field.type !== 'text')
		const { type, slot } = column.field
		const stored = values.map((value) => numberOfValue(type, value))
		const rows = await db<{ text: string }[]>`
			select ${mergeOf(db, accountId, { tags: [name], customColumns }).columns} as text
			from unnest(${stored}::float8[]) with ordinality as n (stored, place)
			cross join lateral (select array_fill(n.stored, array[${slot}::int]) as numbers) v
			order by n.place
		`
		assert.deepEqual(
			rows.map(({ text }) => text),
			values.map((value) => formatValue(value, column.format)),
			format,
		)
	}
	for (const format of FORMATS) {
		await check('Points', numbers, format)
		await check('Due date', days, format)
	}
})
