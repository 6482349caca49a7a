import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reconcileMoney } from '#app/server/housekeeping/reconciliation.ts'
import { users } from '#features/users/contract.ts'
import { wallet } from '#features/wallet/contract.ts'
import { account, type TestAccount } from '#test/factories.ts'
import { launchTestApp } from '#test/http-app.ts'
import { recharge } from '../service.ts'
import { makeReceipt } from './receipt-pdf.ts'
import { findReceiptAllAccounts, type Receipt } from './receipt-queries.ts'

const issuer = { ISSUER_NAME: 'Tantu Textiles', ISSUER_ADDRESS: '14 MG Road\\nPune', ISSUER_GSTIN: '27AAPFU0939F1ZV' }
const app = await launchTestApp({ env: issuer })
const admin = await app.signIn('admin')

async function paid(person: TestAccount, notes?: string): Promise<string> {
	await app.call(wallet.recharge, { params: { userId: person.userId }, body: { amount: 25_000, notes } }, admin)
	const { body } = await app.call(wallet.history, { params: { userId: person.userId } }, person)
	return body[0]?._id ?? ''
}

const fails = async () => {
	throw new Error('the machine caught fire')
}

const fetchReceipt = (transactionId: string, as: TestAccount) =>
	app.call(wallet.receipt, { params: { transactionId } }, as)

test('wallet.receipt returns a PDF named after its transaction, with identical bytes each time', async () => {
	const person = await account(app.context, { name: 'मीरा शाह' })
	const id = await paid(person, 'यूपीआई से भुगतान')
	const first = await fetchReceipt(id, person)
	assert.equal(first.status, 200)
	assert.equal(first.headers.get('content-type'), 'application/pdf')
	assert.equal(first.headers.get('content-disposition'), `attachment; filename="receipt_${id}.pdf"`)
	const bytes = Buffer.from(await first.body.arrayBuffer())
	assert.ok(bytes.subarray(0, 8).toString('latin1').startsWith('%PDF-1.7'))
	await app.context.db`update users set name = 'Somebody else' where id = ${person.userId}`
	app.context.env.ISSUER_NAME = 'Another firm'
	const again = Buffer.from(await (await fetchReceipt(id, admin)).body.arrayBuffer())
	assert.ok(bytes.equals(again), 'also after the names have changed')
})

test('wallet.receipt returns 404 to another user, and for an unknown transaction', async () => {
	const [person, other] = [await app.signIn('user'), await app.signIn('user')]
	const id = await paid(person)
	for (const [transactionId, as] of [
		[id, other],
		['999999999', person],
		['999999999', admin],
	] as const) {
		const { status, body } = await fetchReceipt(transactionId, as)
		assert.deepEqual([status, body.message], [404, 'Transaction not found'])
	}
})

test('receipt numbers have no gap across accounts when recharges are rolled back, repeated or concurrent', async () => {
	const people = await Promise.all(Array.from({ length: 4 }, () => account(app.context)))
	const { env, db, notify } = app.context
	const by = { adminId: Number(admin.userId), ip: '192.0.2.1' }
	const attempts = Array.from({ length: 60 }, async (_, index) => {
		const { userId } = people[index % 4] ?? admin
		const requestId = `request-${index % 8 === 7 ? index - 4 : index}`
		const context = { env, db, notify: index % 3 === 0 ? fails : notify }
		await recharge(context, userId, { amountPaise: 100 + index, requestId, actor: by }).catch(() => {})
	})
	await Promise.all(attempts)
	const rows = await db<{ number: number }[]>`select number from receipts order by number`
	assert.ok(rows.length > 30)
	assert.deepEqual(
		rows.map((row) => row.number),
		rows.map((_, index) => index + 1),
	)
	assert.deepEqual(await reconcileMoney(db), [])
})

const receipt: Omit<Receipt, 'accountId'> = {
	entryId: 7,
	number: 3,
	amountPaise: 10_000_000_000,
	notes: null,
	paidAt: new Date('2026-11-21T04:45:00Z'),
	payerName: 'A',
	payerEmail: 'a@example.com',
	payerBusinessName: null,
	payerBusinessAddress: null,
	payerGstin: null,
	payerState: null,
	paymentMethod: null,
	paymentId: null,
	invoice: null,
	adminName: null,
	issuerName: null,
	issuerAddress: null,
	issuerGstin: null,
}

test('wallet.receipt shows the business details of the day of the recharge', async () => {
	const person = await account(app.context)
	const { name, email } = person
	const details = { businessName: 'शर्मा टेक्सटाइल', businessAddress: '14 MG Road\nPune', gstin: '29AAGCB7383J1Z4' }
	await app.call(users.updateMe, { body: { name, email, ...details } }, person)
	const id = await paid(person)
	await app.call(users.updateMe, { body: { name, email, businessName: '', businessAddress: '', gstin: '' } }, person)
	const kept = await findReceiptAllAccounts(app.context.db, Number(id))
	assert.deepEqual(
		[kept?.payerBusinessName, kept?.payerBusinessAddress, kept?.payerGstin, kept?.issuerGstin, kept?.issuerAddress],
		[...Object.values(details), '27AAPFU0939F1ZV', '14 MG Road\nPune'],
	)
})

const pagesOf = async (given: Partial<Receipt>) => {
	const made = await makeReceipt({ ...receipt, ...given } as Receipt, { name: 'X', address: '', gstin: '' })
	return made.toString('latin1').match(/\/Type \/Page\b/g)?.length
}

test('makeReceipt uses one page for the longest notes in any script', async () => {
	for (const notes of ['भुगतान '.repeat(70).trim(), 'W'.repeat(500), '\n'.repeat(400), 'தமிழ் 😀 Ž ਪੰਜਾਬੀ శ్రీ', ''])
		assert.equal(await pagesOf({ notes, payerBusinessName: 'Sharma', payerGstin: '29AAGCB7383J1Z4' }), 1, notes)
})

test('makeReceipt adds a second page when names, address and notes all have their maximum length', async () => {
	const longest = {
		payerName: 'W'.repeat(200),
		payerBusinessName: 'W'.repeat(200),
		payerBusinessAddress: `${'W'.repeat(49)}\n`.repeat(6).trim(),
		payerGstin: '29AAGCB7383J1Z4',
		notes: 'W'.repeat(500),
	}
	assert.equal(await pagesOf(longest), 2)
})
