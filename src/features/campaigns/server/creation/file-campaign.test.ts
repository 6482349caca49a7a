import assert from 'node:assert/strict'
import { test } from 'node:test'
import { campaigns } from '#features/campaigns/contract.ts'
import { campaignPreflight } from '#features/campaigns/preflight-contract.ts'
import { optOutNumbers } from '#features/contacts/server/service.ts'
import { getWallet } from '#features/wallet/server/ledger.ts'
import { account, contact, template, type TestAccount } from '#test/factories.ts'
import { moneyFindings } from '#test/full-stack.ts'
import { launchTestApp } from '#test/http-app.ts'

const app = await launchTestApp()

const CSV = [
	'Name,Mobile,City,Amount',
	'Asha,98765 43210,Pune,"1,200"',
	'Rahul,+91-98123-45678,Delhi,900',
	'Twin,9876543210,Pune,1',
	'Nobody,12,Goa,2',
	',,,',
	'Left,9000012345,Surat,3',
	'Empty,,Surat,4',
].join('\n')

const csvFile = (text: string, name = 'people.csv') => new File([text], name, { type: 'text/csv' })

async function payer(balancePaise = 10_000): Promise<TestAccount & { templateId: string }> {
	const made = await account(app.context, { balancePaise })
	const { templateId } = await template(app.context.db, made.accountId)
	return { ...made, templateId }
}

interface Order {
	variables?: Record<string, string>
	columns?: object
	file?: File
}

const fieldsOf = (
	who: { templateId: string },
	{ variables = { var1: '{{Name}} in {{City|India}}' }, columns }: Order,
) => ({
	name: 'From a file',
	templateId: who.templateId,
	variables: JSON.stringify(variables),
	audienceType: 'file' as const,
	...(columns && { columns: JSON.stringify(columns) }),
})

const create = (who: TestAccount & { templateId: string }, order: Order = {}) =>
	app.call(campaigns.create, { body: fieldsOf(who, order), files: { file: order.file ?? csvFile(CSV) } }, who)

async function messagesOf(who: TestAccount) {
	const rows = await app.context.db<{ seq: number; number: string; name: string | null; values: string[] | null }[]>`
		select seq, number, name, merge_values as values from campaign_messages where account_id = ${who.accountId} order by seq
	`
	return rows.map(({ seq, number, name, values }) => [seq, number, name, ...(values ?? [])])
}

test('a campaign from a CSV file sends to each valid number once, with the values of its row, and holds their price', async () => {
	const who = await payer()
	const opted = await contact(app.context.db, who.accountId, { number: '919000012345' })
	await optOutNumbers(app.context.db, who.accountId, { numbers: [opted.number], because: 'reply' })
	const { status, body } = await create(who)
	assert.equal(status, 200, body.message)
	assert.deepEqual(await messagesOf(who), [
		[1, '919876543210', 'Asha', 'Asha', 'Pune'],
		[2, '919812345678', 'Rahul', 'Rahul', 'Delhi'],
	])
	assert.equal(body.campaign.totalCount, 2)
	assert.deepEqual(await getWallet(app.context.db, who.accountId), { availablePaise: 9800, heldPaise: 200 })
	assert.deepEqual(await moneyFindings(app.context.db), [])
})

test('the analysis of a file counts its valid, invalid and duplicate rows, previews the first ones and returns the cost', async () => {
	const who = await payer()
	const { number } = await contact(app.context.db, who.accountId, { number: '919000012345' })
	await optOutNumbers(app.context.db, who.accountId, { numbers: [number], because: 'reply' })
	const { templateId } = who
	const variables = JSON.stringify({ var1: '{{Name}} {{City}}' })
	const { status, body } = await app.call(
		campaignPreflight.audienceFile,
		{ body: { templateId, variables }, files: { file: csvFile(CSV) } },
		who,
	)
	assert.equal(status, 200, body.message)
	assert.equal(body.message, 'File "people.csv" uploaded successfully')
	assert.deepEqual(body.header, ['Name', 'Mobile', 'City', 'Amount'])
	assert.deepEqual(body.columns, { number: 1, firstName: 0, lastName: null, hasHeader: true })
	assert.deepEqual(body.tags, ['firstName', 'number', 'Name', 'Mobile', 'City', 'Amount'])
	assert.deepEqual(body.counts, { rows: 6, valid: 3, invalid: 2, duplicate: 1, unlikely: 0 })
	assert.deepEqual(
		[body.contacts, body.optedOut, body.recipients, body.price, body.cost, body.walletBalance],
		[3, 1, 2, 1, 2, 100],
	)
	assert.deepEqual(
		body.preview.map(({ row, reason }) => [row, reason]),
		[
			[2, null],
			[3, null],
			[4, 'The same number as in row 2'],
			[5, 'Invalid phone number format'],
			[7, 'Opted out of marketing messages'],
			[8, 'The row has no number'],
		],
	)
	assert.deepEqual(
		body.problems.map(({ kind, isBlocking }) => [kind, isBlocking]),
		[['sender', false]],
	)
})

test('the analysis of a file has no problem with values that are not typed yet, and counts the rows that lack a required one', async () => {
	const who = await payer()
	const problemsOf = async (variables: object) => {
		const body = { templateId: who.templateId, variables: JSON.stringify(variables) }
		const files = { file: csvFile('number,city\n9876543210,\n') }
		const answer = await app.call(campaignPreflight.audienceFile, { body, files }, who)
		assert.equal(answer.status, 200, answer.body.message)
		return answer.body.problems.filter(({ kind }) => kind === 'variables').map(({ message }) => message)
	}
	assert.deepEqual(await problemsOf({}), [])
	assert.deepEqual(await problemsOf({ var1: '' }), [])
	assert.deepEqual(await problemsOf({ var1: '{{city}}' }), [
		'1 person has no city. Type what they should read instead, e.g. friend.',
	])
})

test('campaigns.rejectedRows returns the rejected rows as CSV, each with its reason', async () => {
	const who = await payer()
	const { status, body } = await app.call(
		campaignPreflight.rejectedRows,
		{ body: { templateId: who.templateId }, files: { file: csvFile(CSV) } },
		who,
	)
	assert.equal(status, 200)
	assert.deepEqual((await (body as unknown as Blob).text()).replace(/^\uFEFF/, '').split('\r\n'), [
		'Name,Mobile,City,Amount,row,reason',
		'Twin,9876543210,Pune,1,4,The same number as in row 2',
		'Nobody,12,Goa,2,5,Invalid phone number format',
		'Empty,,Surat,4,8,The row has no number',
		'',
	])
})

for (const [what, order, message] of [
	['no file', { file: undefined }, 'Please upload a contact file'],
	['a picture', { file: new File(['x'], 'a.png', { type: 'image/png' }) }, 'Please upload a CSV or Excel file'],
	['an unknown file', { file: new File(['x'], 'a.bin') }, 'Please upload a CSV or Excel file'],
	[
		'a value that a row lacks',
		{ file: csvFile('number,city\n9876543210,\n'), variables: { var1: '{{city}}' } },
		'1 person has no city. Type what they should read instead, e.g. friend.',
	],
	[
		'a tag that no column has',
		{ variables: { var1: '{{Town}}' } },
		'The recipients have no “Town”. Use firstName, number, Name, Mobile, City, Amount',
	],
	[
		'a file without numbers',
		{ file: csvFile('city,name\nPune,Asha\n'), variables: { var1: 'x' } },
		'Choose the column that holds the phone numbers',
	],
	[
		'a quote that is never closed',
		{ file: csvFile('number,city\n9876543210,"Pune\n9876543211,Goa\n'), variables: { var1: 'x' } },
		'A quote that opens in row 2 is never closed',
	],
] as const) {
	test(`a campaign from ${what} is refused, and nothing is written`, async () => {
		const who = await payer()
		const { file, ...given } = { file: csvFile(CSV), ...order } as Order
		const files: Record<string, File> = file ? { file } : {}
		const { status, body } = await app.call(campaigns.create, { body: fieldsOf(who, given), files }, who)
		assert.deepEqual([status, body.message], [400, message])
		assert.deepEqual(await messagesOf(who), [])
		assert.deepEqual(await getWallet(app.context.db, who.accountId), { availablePaise: 10_000, heldPaise: 0 })
	})
}

test('createCampaign from a file returns 402 with both amounts and writes nothing when the wallet is short', async () => {
	const who = await payer(100)
	const { status, body } = await create(who)
	assert.equal(status, 402, body.message)
	assert.match(body.message ?? '', /needs ₹3.00, but the wallet has ₹1.00/)
	assert.deepEqual(await messagesOf(who), [])
})

test('chosen columns override those found by their headers, and a file without header names its columns by number', async () => {
	const who = await payer()
	const file = csvFile('x;Asha;9876543210\ny;Rahul;9812345678\n')
	const columns = { number: 2, firstName: 1, lastName: null, hasHeader: false }
	const variables = { var1: '{{firstName}} {{column1}}' }
	const { status, body } = await create(who, { file, columns, variables })
	assert.equal(status, 200, body.message)
	assert.deepEqual(await messagesOf(who), [
		[1, '919876543210', 'Asha', 'Asha', 'x'],
		[2, '919812345678', 'Rahul', 'Rahul', 'y'],
	])
})

test('createCampaign from a file that the product exported sends its values without the apostrophes put before formulas', async () => {
	const who = await payer()
	const file = csvFile("Name,Mobile,City\n'=1+1,'+919876543210,O'Hara\n'Asha,9812345678,' -2\n'＝2,9823456789,x\n")
	const { status, body } = await create(who, { file })
	assert.equal(status, 200, body.message)
	assert.deepEqual(await messagesOf(who), [
		[1, '919876543210', '=1+1', '=1+1', "O'Hara"],
		[2, '919812345678', "'Asha", "'Asha", '-2'],
		[3, '919823456789', '＝2', '＝2', 'x'],
	])
})

test('a test message is one charged campaign that is left out of the list unless asked for', async () => {
	const who = await payer()
	await contact(app.context.db, who.accountId, { firstName: 'Asha', number: '919876543210' })
	const body = {
		templateId: who.templateId,
		variables: { var1: '{{firstName}} Pune {{x|y}}' },
		number: '98765 43210',
	}
	const sent = await app.call(campaignPreflight.sendTest, { body }, who)
	assert.equal(sent.status, 200, sent.body.message)
	assert.deepEqual([sent.body.campaign.isTest, sent.body.campaign.totalCount], [true, 1])
	const rows = await messagesOf(who)
	assert.deepEqual(
		rows.map((row) => row.map((value) => value)),
		[[1, '919876543210', 'Asha', 'Asha', null]],
	)
	assert.equal((await getWallet(app.context.db, who.accountId)).heldPaise, 100)
	for (const [tests, expected] of [
		['hide', 0],
		['show', 1],
	] as const) {
		const query = { page: 1, limit: 10, search: '', sort: 'createdAt', order: 'desc', tests } as const
		const list = await app.call(campaigns.list, { query }, who)
		assert.equal(list.body.campaigns.length, expected)
	}
})

test('campaigns.sendTest with a known request id and another number sends nothing, and returns 409 with the first campaign', async () => {
	const who = await payer()
	const { templateId } = who
	const send = (number: string) => {
		const body = { templateId, variables: { var1: 'Asha' }, number, requestId: 'test-form-1' }
		return app.call(campaignPreflight.sendTest, { body }, who)
	}
	const first = await send('98765 43210')
	assert.equal((await send('+91 98765-43210')).body.campaign._id, first.body.campaign._id)
	const { status, body } = await send('98765 43211')
	assert.deepEqual([status, 'createdId' in body && body.createdId], [409, first.body.campaign._id])
	assert.equal((await messagesOf(who)).length, 1)
})

test('a repeated order returns its campaign, and a 409 with other rows, columns, ticks or formats', async () => {
	const who = await payer()
	const columns = { firstName: 0, lastName: null, number: 1, hasHeader: true }
	const order = async (given: Order & { formats?: object; retryHeldBack?: string } = {}) => {
		const { file = csvFile(CSV), formats, retryHeldBack } = given
		const body = {
			...fieldsOf(who, { columns, variables: { var1: 'Asha' }, ...given }),
			requestId: 'one-form',
			...(formats && { formats: JSON.stringify(formats) }),
			...(retryHeldBack && { retryHeldBack }),
		}
		const answer = await app.call(campaigns.create, { body, files: { file } }, who)
		return answer.status === 200 ? answer.body.campaign._id : answer.status
	}
	const id = await order()
	assert.deepEqual(await order(), id)
	assert.deepEqual(await order({ retryHeldBack: 'true' }), id, 'an option of 1.0.0 has no effect')
	for (const other of [
		{ columns: { ...columns, withUnlikely: true } },
		{ columns: { ...columns, withHidden: true } },
		{ columns: { ...columns, hasHeader: false } },
		{ columns: { ...columns, firstName: null } },
		{ formats: { Amount: 'rupees' } },
		{ file: csvFile(CSV.replace('Delhi', 'Surat')) },
	])
		assert.equal(await order(other), 409, JSON.stringify(other))
})
