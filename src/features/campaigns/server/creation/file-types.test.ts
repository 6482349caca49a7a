import assert from 'node:assert/strict'
import { test } from 'node:test'
import { campaigns } from '#features/campaigns/contract.ts'
import { campaignPreflight } from '#features/campaigns/preflight-contract.ts'
import { getWallet } from '#features/wallet/server/ledger.ts'
import { account, template } from '#test/factories.ts'
import { tableWorkbook, textRow, workbook as workbookOf } from '#test/files/workbook.ts'
import { moneyFindings } from '#test/full-stack.ts'
import { launchTestApp } from '#test/http-app.ts'

const app = await launchTestApp()

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const XLSM = 'application/vnd.ms-excel.sheet.macroEnabled.12'
const REFUSAL = 'Please upload a CSV or Excel file'

const ROWS = [
	['Name', 'Mobile', 'City', 'Due'],
	['Asha', 919_876_543_210, 'Pune', 1200.5],
	['Rahul', '098123 45678', null, 900],
	['Twin', 9_876_543_210, 'Pune', 1],
	['Nobody', 12, 'Goa', 2],
]

const workbook = (name = 'dues.xlsx', type = XLSX) => new File([Uint8Array.from(tableWorkbook(ROWS))], name, { type })

async function payer() {
	const made = await account(app.context, { balancePaise: 10_000 })
	const { templateId } = await template(app.context.db, made.accountId)
	return { ...made, templateId }
}

type Payer = Awaited<ReturnType<typeof payer>>

const create = (who: Payer, file: File) => {
	const variables = JSON.stringify({ var1: '{{Name}}, {{City|India}}: {{Due}}' })
	const body = { name: 'Dues', templateId: who.templateId, variables, audienceType: 'file' as const }
	return app.call(campaigns.create, { body, files: { file } }, who)
}

test('a campaign from an Excel file sends to each valid number once, with the values of its row, and holds their price', async () => {
	const who = await payer()
	const { status, body } = await create(who, workbook())
	assert.equal(status, 200, body.message)
	const rows = await app.context.db<{ number: string; name: string; values: string[] }[]>`
		select number, name, merge_values as values from campaign_messages where account_id = ${who.accountId} order by seq
	`
	assert.deepEqual(
		rows.map((row) => ({ ...row })),
		[
			{ number: '919876543210', name: 'Asha', values: ['Asha', 'Pune', '1200.5'] },
			{ number: '919812345678', name: 'Rahul', values: ['Rahul', null, '900'] },
		],
	)
	assert.deepEqual(await getWallet(app.context.db, who.accountId), { availablePaise: 9800, heldPaise: 200 })
	assert.deepEqual(await moneyFindings(app.context.db), [])
})

test('rows that a filter hides in a workbook are announced, and get the campaign only when the order includes them', async () => {
	const rows = ['Asha,9876543210', 'Ravi,9812345678', 'Meena,9812345679'].map((row) => textRow(row.split(',')))
	const filtered = [textRow(['Name', 'Mobile']), rows[0], rows[1]?.replace('<row', '<row hidden="1"'), rows[2]].join('')
	const file = () => new File([Uint8Array.from(workbookOf(filtered))], 'filtered.xlsx', { type: XLSX })
	const who = await payer()
	const analyse = async (columns?: object) => {
		const body = { templateId: who.templateId, ...(columns && { columns: JSON.stringify(columns) }) }
		return (await app.call(campaignPreflight.audienceFile, { body, files: { file: file() } }, who)).body
	}
	const usual = await analyse()
	assert.deepEqual([usual.hidden, usual.counts.valid], [{ rows: 1, columns: 0 }, 2])
	const all = await analyse({ ...usual.columns, withHidden: true })
	assert.deepEqual([all.hidden, all.counts.valid, all.columns.withHidden], [{ rows: 1, columns: 0 }, 3, true])
	const variables = JSON.stringify({ var1: '{{Name}}' })
	for (const [columns, contacts] of [
		[usual.columns, 2],
		[all.columns, 3],
	] as const) {
		const order = { name: 'Dues', templateId: who.templateId, variables, audienceType: 'file' as const }
		const body = { ...order, columns: JSON.stringify(columns) }
		const made = await app.call(campaigns.create, { body, files: { file: file() } }, who)
		assert.deepEqual([made.status, made.body.campaign?.totalCount], [200, contacts])
	}
})

test('createCampaign from a CSV file takes error values and words such as NULL for empty values', async () => {
	const who = await payer()
	const csv =
		'Name,Mobile,City,Due\nAsha,9876543210,#N/A,#DIV/0!\nRavi,9812345678,NULL,15%\nMeena,9812345679,Pune,nan\n'
	const variables = JSON.stringify({ var1: '{{Name}}, {{City|India}}: {{Due|0}}' })
	const body = { name: 'Dues', templateId: who.templateId, variables, audienceType: 'file' as const }
	const file = new File([csv], 'dues.csv', { type: 'text/csv' })
	const { status, body: answer } = await app.call(campaigns.create, { body, files: { file } }, who)
	assert.equal(status, 200, answer.message)
	const rows = await app.context.db<{ values: string[] }[]>`
		select merge_values as values from campaign_messages where account_id = ${who.accountId} order by seq
	`
	assert.deepEqual(
		rows.map(({ values }) => values),
		[
			['Asha', null, null],
			['Ravi', null, '15%'],
			['Meena', 'Pune', null],
		],
	)
})

test('createCampaign writes the values of a column in the format that the order names, for each recipient', async () => {
	const who = await payer()
	const variables = JSON.stringify({ var1: '{{Name}} owes {{Due}}' })
	const formats = JSON.stringify({ Due: 'rupees', Name: 'rupees' })
	const body = { name: 'Dues', templateId: who.templateId, variables, formats, audienceType: 'file' as const }
	const { status, body: answer } = await app.call(campaigns.create, { body, files: { file: workbook() } }, who)
	assert.equal(status, 200, answer.message)
	const rows = await app.context.db<{ values: string[] }[]>`
		select merge_values as values from campaign_messages where account_id = ${who.accountId} order by seq
	`
	assert.deepEqual(
		rows.map(({ values }) => values),
		[
			['Asha', '₹1,200.50'],
			['Rahul', '₹900.00'],
		],
	)
	const unknown = { ...body, formats: JSON.stringify({ Due: 'dollars' }) }
	assert.equal((await app.call(campaigns.create, { body: unknown, files: { file: workbook() } }, who)).status, 400)
})

test('the analysis of an Excel file names the columns of numbers and dates with their formats, and counts the recipients without a value', async () => {
	const who = await payer()
	const rows = [
		['Name', 'Mobile', 'City', 'Amount', 'PIN', 'Weight', 'Last visit'],
		['Asha', 9_876_543_210, 'Pune', 8_276_075.02, 411_001, 2.5, '2026-11-25'],
		['Rahul', 9_812_345_678, null, 900, 411_002, 3, '2026-11-26 17:45'],
		['Twin', 9_876_543_210, null, 900, null, null, null],
	]
	const analyse = (file: File) =>
		app.call(campaignPreflight.audienceFile, { body: { templateId: who.templateId }, files: { file } }, who)
	const { body } = await analyse(new File([Uint8Array.from(tableWorkbook(rows))], 'dues.xlsx', { type: XLSX }))
	assert.deepEqual(body.formats, {
		Amount: { kind: 'number', format: 'rupees' },
		PIN: { kind: 'number', format: 'typed' },
		Weight: { kind: 'number', format: 'grouped' },
		'Last visit': { kind: 'date', format: 'day' },
	})
	assert.deepEqual(body.gaps, { City: 1 })
	const csv = await analyse(new File(['Mobile,Amount\n9876543210,5\n'], 'dues.csv', { type: 'text/csv' }))
	assert.deepEqual(csv.body.formats, { Amount: { kind: 'number', format: 'typed' } })
})

test('the analysis of an Excel file counts its valid, invalid and duplicate rows', async () => {
	const who = await payer()
	const { status, body } = await app.call(
		campaignPreflight.audienceFile,
		{
			body: { templateId: who.templateId, variables: JSON.stringify({ var1: '{{Name}}' }) },
			files: { file: workbook() },
		},
		who,
	)
	assert.equal(status, 200, body.message)
	assert.deepEqual(body.counts, { rows: 4, valid: 2, invalid: 1, duplicate: 1, unlikely: 0 })
	assert.deepEqual(body.tags, ['firstName', 'number', 'Name', 'Mobile', 'City', 'Due'])
})

test('the analysis of a CSV file detects the separator of its columns, also with two columns', async () => {
	const who = await payer()
	for (const separator of [',', ';', '\t', '|']) {
		const file = new File([`Name${separator}Mobile\nAsha${separator}9876543210\n`], 'dues.csv', { type: 'text/csv' })
		const { body } = await app.call(campaignPreflight.audienceFile, { body: { templateId: '' }, files: { file } }, who)
		assert.deepEqual([body.header, body.counts.valid], [['Name', 'Mobile'], 1], separator)
	}
})

const CSV = 'Name,Mobile,City,Due\nAsha,9876543210,Pune,5\n'
/** The types that browsers name for such files depend on the system and its office programs. */
const NAMED: { name: string; type: string; isTaken: boolean }[] = [
	{ name: 'dues.csv', type: 'text/csv', isTaken: true },
	{ name: 'dues.csv', type: 'application/vnd.ms-excel', isTaken: true },
	{ name: 'dues.csv', type: 'application/octet-stream', isTaken: true },
	{ name: 'DUES.CSV', type: 'text/comma-separated-values', isTaken: true },
	{ name: 'dues', type: 'text/csv', isTaken: true },
	{ name: 'dues.txt', type: 'text/plain', isTaken: false },
	{ name: 'dues.pdf', type: 'application/pdf', isTaken: false },
	{ name: 'dues.xls', type: 'application/vnd.ms-excel', isTaken: false },
	{ name: 'dues', type: 'application/octet-stream', isTaken: false },
]

for (const { name, type, isTaken } of NAMED) {
	test(`a campaign's file ${name} of the type ${type} is ${isTaken ? 'taken' : 'refused'}`, async () => {
		const { status, body } = await create(await payer(), new File([CSV], name, { type }))
		assert.deepEqual([status, body.message], isTaken ? [200, 'Campaign created successfully!'] : [400, REFUSAL])
	})
}

const TYPES = [XLSX, 'application/octet-stream', 'application/zip', 'application/vnd.ms-excel', XLSM]
for (const name of ['Dues.XLSX', 'Dues.xlsm']) {
	for (const type of TYPES) {
		test(`a campaign's file that is named ${name} is taken when its type is ${type}`, async () => {
			const { status, body } = await create(await payer(), workbook(name, type))
			assert.equal(status, 200, body.message)
			assert.equal(body.campaign.totalCount, 2)
		})
	}
}
