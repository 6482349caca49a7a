import assert from 'node:assert/strict'
import { test } from 'node:test'
import { campaigns } from '#features/campaigns/contract.ts'
import { campaignPreflight } from '#features/campaigns/preflight-contract.ts'
import type { Columns } from '#features/contacts/columns.ts'
import { optOutNumbers } from '#features/contacts/server/service.ts'
import { getWallet } from '#features/wallet/server/ledger.ts'
import { account, contact, template } from '#test/factories.ts'
import { launchTestApp } from '#test/http-app.ts'

const app = await launchTestApp()

async function payer() {
	const made = await account(app.context, { balancePaise: 10_000 })
	const { templateId } = await template(app.context.db, made.accountId)
	return { ...made, templateId }
}

type Payer = Awaited<ReturnType<typeof payer>>

const csvFile = (text: string) => ({ file: new File([text], 'people.csv', { type: 'text/csv' }) })

const columnsWith = (withUnlikely: boolean): Columns => ({
	number: 1,
	firstName: 0,
	lastName: null,
	hasHeader: true,
	withUnlikely,
})

const formOf = ({ templateId }: Payer, columns?: Columns) => ({
	templateId,
	variables: JSON.stringify({ var1: 'friend' }),
	...(columns && { columns: JSON.stringify(columns) }),
})

const create = (who: Payer, text: string, columns?: Columns) => {
	const body = { ...formOf(who, columns), name: 'From a file', audienceType: 'file' as const }
	return app.call(campaigns.create, { body, files: csvFile(text) }, who)
}

const ODD = [
	'Name,Mobile',
	'Asha,9876543210 / 9876543211',
	'Twin,9876543210',
	'Meena,9876543212',
	'Ravi,98123 45',
	'Bina,+91 22 2654 1000',
	'Left,1800 123 4567',
].join('\n')

for (const [withUnlikely, recipients] of [
	[undefined, 2],
	[false, 2],
	[true, 4],
] as const) {
	test(`estimate, rejected rows and order agree on ${recipients} recipients of a file with three unlikely numbers when withUnlikely is ${withUnlikely}`, async () => {
		const who = await payer()
		await optOutNumbers(app.context.db, who.accountId, { numbers: ['9118001234567'], because: 'reply' })
		const columns = withUnlikely === undefined ? undefined : columnsWith(withUnlikely)
		const body = formOf(who, columns)
		const read = (await app.call(campaignPreflight.audienceFile, { body, files: csvFile(ODD) }, who)).body
		const valid = withUnlikely ? 5 : 2
		assert.deepEqual(read.counts, { rows: 6, valid, invalid: 0, duplicate: 1, unlikely: 3 })
		assert.deepEqual([read.contacts, read.optedOut], [valid, withUnlikely ? 1 : 0])
		assert.deepEqual([read.recipients, read.cost, read.secondNumbers], [recipients, recipients, 1])
		assert.deepEqual(
			read.preview.map(({ row, doubt, note }) => [row, doubt ?? note]),
			[
				[5, 'Too short for a mobile number (Iran)'],
				[6, 'Does not look like a mobile number (India)'],
				[7, 'A toll-free number (India)'],
				[2, 'Left out: the second number +91 98765 43211'],
				[3, null],
				[4, null],
			],
		)
		const rejected = (await app.call(campaignPreflight.rejectedRows, { body, files: csvFile(ODD) }, who)).body
		const lines = (await (rejected as unknown as Blob).text()).trim().split('\r\n').slice(1)
		assert.equal(lines.length, read.preview.filter(({ reason }) => reason !== null).length)
		assert.equal(lines.length, 6 - recipients)
		const made = await create(who, ODD, columns)
		assert.deepEqual([made.status, made.body.campaign.totalCount], [200, recipients])
		assert.equal((await getWallet(app.context.db, who.accountId)).heldPaise, recipients * 100)
	})
}

test('a campaign to a file with only unlikely numbers is refused until they are included', async () => {
	const who = await payer()
	const text = 'Name,Mobile\nRavi,98123 45\n'
	const { status, body } = await create(who, text)
	assert.deepEqual([status, body.message], [400, 'This campaign has no recipients'])
	assert.deepEqual(await getWallet(app.context.db, who.accountId), { availablePaise: 10_000, heldPaise: 0 })
	assert.equal((await create(who, text, columnsWith(true))).status, 200)
})

test('the preview of a file has at most ten rows with unlikely numbers, wherever they are in the file, and ten other rows', async () => {
	const who = await payer()
	const likely = Array.from({ length: 30 }, (_, at) => `98765432${10 + at}`)
	const odd = Array.from({ length: 12 }, (_, at) => `98123${10 + at}`)
	const files = csvFile(['Mobile', ...likely, ...odd].join('\n'))
	const { body } = await app.call(campaignPreflight.audienceFile, { body: { templateId: '' }, files }, who)
	const rows = [...odd.slice(0, 10).map((_, at) => 32 + at), ...likely.slice(0, 10).map((_, at) => 2 + at)]
	assert.deepEqual(
		body.preview.map(({ row }) => row),
		rows,
	)
	assert.equal(body.counts.unlikely, 12)
})

test('a file’s row with an unlikely number is a recipient when the number is a contact of the account, and not in another account', async () => {
	const who = await payer()
	await contact(app.context.db, who.accountId, { number: '912226541000' })
	const files = csvFile(ODD)
	const read = (await app.call(campaignPreflight.audienceFile, { body: formOf(who), files }, who)).body
	assert.deepEqual(read.counts, { rows: 6, valid: 3, invalid: 0, duplicate: 1, unlikely: 2 })
	assert.deepEqual(
		read.preview.flatMap(({ row, doubt }) => (doubt === null ? [] : [row])),
		[5, 7],
	)
	assert.equal((await create(who, ODD)).body.campaign.totalCount, 3)
	const other = await payer()
	assert.equal((await create(other, ODD)).body.campaign.totalCount, 2)
})
