import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reconcileMoney } from '#app/server/housekeeping/reconciliation.ts'
import { users } from '#features/users/contract.ts'
import { wallet } from '#features/wallet/contract.ts'
import { financialYearOf, invoiceText, noteText } from '#features/wallet/rules.ts'
import { transaction, type Sql } from '#lib/server/db.ts'
import { account, type TestAccount } from '#test/factories.ts'
import { launchTestApp } from '#test/http-app.ts'
import { issuerOf, issueTaxNote, postRecharge } from '../service.ts'
import { drawReceipt, drawTaxNote, makeReceipt, makeTaxNote } from './receipt-pdf.ts'
import { findReceiptAllAccounts, takeNumberOfYearAllAccounts, type Receipt, type Tax } from './receipt-queries.ts'
import type { Sheet } from './receipt-sheet.ts'
import { findTaxNoteAllAccounts } from './tax-note-queries.ts'

const issuer = { ISSUER_NAME: 'Tantu Textiles', ISSUER_ADDRESS: '14 MG Road\\nPune', ISSUER_GSTIN: '27AAPFU0939F1ZV' }
const app = await launchTestApp({ env: issuer })
const admin = await app.signIn('admin')

const fails = () => {
	throw new Error('the transaction fails')
}

const fetchReceipt = (transactionId: string, as: TestAccount) =>
	app.call(wallet.receipt, { params: { transactionId } }, as)

const sameState: Tax = {
	percent: 18,
	cgstPaise: 9000,
	sgstPaise: 9000,
	igstPaise: 0,
	sac: '998413',
	placeOfSupply: '27',
}
const otherState: Tax = { ...sameState, cgstPaise: 0, sgstPaise: 0, igstPaise: 18_000, placeOfSupply: '29' }

let payments = 0

/** Posts an online payment of ₹1,000.00 and returns the id of its receipt. */
async function payOnline(person: TestAccount, tax: Tax | null, run = transaction<number>): Promise<number> {
	const { db, env } = app.context
	const reference = `payment:${++payments}`
	return run(db, async (sql: Sql) => {
		const online = { method: 'upi', paymentId: `pay_${payments}`, tax }
		await postRecharge(sql, person.accountId, { reference, amountPaise: 100_000, issuer: issuerOf(env), online })
		const [entry] = await sql<{ id: number }[]>`
			select id from ledger_entries where account_id = ${person.accountId} and reference = ${reference}
		`
		return entry?.id ?? 0
	})
}

/** Returns the lines that a receipt, or a note of it, shows below its issuer, with columns between bars. */
async function linesOf(entryId: number, noteId?: number): Promise<string[]> {
	const receipt = await findReceiptAllAccounts(app.context.db, entryId)
	const note = noteId === undefined ? undefined : await findTaxNoteAllAccounts(app.context.db, noteId)
	assert.ok(receipt)
	const lines: string[] = []
	const sheet: Sheet = {
		write: (_, text) => void lines.push(text),
		pair: (label, texts) => void lines.push([label, ...texts].join(' | ')),
		amount: (_, figures, words) => void lines.push(`${figures} | ${words}`),
		row: (cells) => void lines.push(cells.join(' | ')),
		line: () => {},
		down: () => {},
	}
	if (note) drawTaxNote(sheet, { note, receipt })
	else drawReceipt(sheet, receipt)
	return lines
}

async function shop(details: { gstin?: string; businessState?: string }): Promise<TestAccount> {
	const person = await account(app.context)
	const { name, email } = person
	await app.call(users.updateMe, { body: { name, email, businessAddress: '1 Brigade Road', ...details } }, person)
	return person
}

const THIS_YEAR = financialYearOf(new Date())

test('makeReceipt draws an invoice on one page, and on two when all texts have their maximum length', async () => {
	const id = await payOnline(await shop({ gstin: '27AAPFU0939F1ZV' }), sameState)
	const stored = await findReceiptAllAccounts(app.context.db, id)
	assert.ok(stored)
	const pagesOf = async (given: Partial<Receipt>) =>
		(await makeReceipt({ ...stored, ...given }, { name: '', address: '', gstin: '' }))
			.toString('latin1')
			.match(/\/Type \/Page\b/g)?.length
	const longest = {
		payerName: 'W'.repeat(200),
		payerBusinessName: 'W'.repeat(200),
		payerBusinessAddress: `${'W'.repeat(49)}\n`.repeat(6).trim(),
		notes: 'W'.repeat(500),
	}
	assert.deepEqual([await pagesOf({}), await pagesOf(longest)], [1, 2])
})

test('an online payment of the issuer’s state gets a tax invoice with both halves of the tax', async () => {
	const person = await shop({ gstin: '27AAPFU0939F1ZV' })
	const lines = await linesOf(await payOnline(person, sameState))
	const [receipt] = await app.context.db<{ number: number; at: string }[]>`
		select r.number, r.invoice_number as at from receipts r where r.payment_id = ${`pay_${payments}`}
	`
	assert.deepEqual(
		lines.filter((line) => !line.startsWith('Date') && !line.startsWith('Transaction ID')),
		[
			'State: Maharashtra (27)',
			'Tax Invoice',
			`Invoice No. | ${THIS_YEAR}/${String(receipt?.at).padStart(6, '0')}`,
			`Billed to | ${person.name} | ${person.email} | 1 Brigade Road | State: Maharashtra (27) | GSTIN: 27AAPFU0939F1ZV`,
			'Place of supply | Maharashtra (27)',
			'Reverse charge | No',
			'Description | SAC / rate | Amount',
			'Prepaid wallet recharge for WhatsApp messages | 998413 | ₹1,000.00',
			'Taxable value | ₹1,000.00',
			'CGST | 9% | ₹90.00',
			'SGST | 9% | ₹90.00',
			'Total | ₹1,180.00',
			'₹1,180.00 | Rupees One Thousand One Hundred Eighty Only',
			'Paid by | UPI',
			`Payment ID | pay_${payments}`,
			`Receipt No. | ${String(receipt?.number).padStart(6, '0')}`,
			'This is a computer-generated tax invoice and needs no signature. It was paid in full.',
		],
	)
})

test('an online payment of another state gets IGST, and a payer without GSTIN an invoice without one', async () => {
	const other = await linesOf(await payOnline(await shop({ gstin: '29AAGCB7383J1Z4' }), otherState))
	assert.ok(other.includes('Place of supply | Karnataka (29)'))
	assert.ok(other.includes('IGST | 18% | ₹180.00'))
	assert.equal(other.filter((line) => /CGST|SGST/.test(line)).length, 0)
	const unregistered = await linesOf(await payOnline(await shop({ businessState: '29' }), otherState))
	assert.match(unregistered.find((line) => line.startsWith('Billed to')) ?? '', /State: Karnataka \(29\)$/)
	const territory = await linesOf(await payOnline(await shop({}), { ...sameState, placeOfSupply: '04', percent: 2.5 }))
	assert.ok(territory.includes('UTGST | 1.25% | ₹90.00'))
	const moved = await shop({ gstin: '29AAGCB7383J1Z4' })
	const billed = (await linesOf(await payOnline(moved, sameState))).find((line) => line.startsWith('Billed to'))
	assert.doesNotMatch(billed ?? '', /GSTIN|State/, 'the tax of the payment belongs to another state')
})

/** Issues a note of the latest payment over ₹590.01 in halves or one part. Returns its id. */
async function issueNote({ accountId }: TestAccount, kind: 'credit' | 'debit', isOtherState = false): Promise<number> {
	const { db } = app.context
	const half = isOtherState ? 0 : 4500
	const amounts = { taxablePaise: 50_000, cgstPaise: half, sgstPaise: half, igstPaise: isOtherState ? 9001 : 0 }
	const note = { ...amounts, roundingPaise: isOtherState ? 0 : 1, kind, reason: `Refund of the payment ${payments}` }
	const reversal = `reversal:${kind}:${payments}`
	await transaction(db, (sql) => issueTaxNote(sql, accountId, { ...note, reversal, of: `payment:${payments}` }))
	const [row] = await db<{ id: number }[]>`select id from tax_notes where reversal = ${reversal}`
	return row?.id ?? 0
}

test('a credit note names its invoice and both sides as the invoice does, with the tax of the refunded part', async () => {
	const person = await shop({ gstin: '27AAPFU0939F1ZV' })
	const id = await payOnline(person, sameState)
	const invoice = (await linesOf(id)).find((line) => line.startsWith('Invoice No.'))?.split(' | ')[1]
	const { name, email } = person
	await app.call(users.updateMe, { body: { name: 'Somebody Else', email } }, person)
	const noteId = await issueNote(person, 'credit')
	const lines = await linesOf(id, noteId)
	assert.deepEqual(
		lines.filter((line) => !line.startsWith('Date')),
		[
			'State: Maharashtra (27)',
			'Credit Note',
			`Credit Note No. | CN/${THIS_YEAR}/000001`,
			lines.find((line) => line.startsWith(`Tax invoice | ${invoice} | `)),
			`Billed to | ${name} | ${email} | 1 Brigade Road | State: Maharashtra (27) | GSTIN: 27AAPFU0939F1ZV`,
			'Place of supply | Maharashtra (27)',
			`Reason | Refund of the payment ${payments}`,
			'Description | SAC / rate | Amount',
			'Prepaid wallet recharge for WhatsApp messages | 998413 | ₹500.00',
			'Taxable value | ₹500.00',
			'CGST | 9% | ₹45.00',
			'SGST | 9% | ₹45.00',
			'Rounding | ₹0.01',
			'Total | ₹590.01',
			'₹590.01 | Rupees Five Hundred Ninety and One Paise Only',
			`Payment ID | pay_${payments}`,
			lines.at(-1),
		],
	)
	assert.match(lines.at(-1) ?? '', /credit note.*reverse the tax above\.$/)
	const receipt = await findReceiptAllAccounts(app.context.db, id)
	const note = await findTaxNoteAllAccounts(app.context.db, noteId)
	assert.ok(receipt && note)
	const [first, again] = [await makeTaxNote({ note, receipt }), await makeTaxNote({ note, receipt })]
	assert.ok(first.equals(again))
	const named = {
		...receipt,
		payerBusinessName: 'श्री लक्ष्मी वेंकटेश्वर टेक्सटाइल्स',
		payerBusinessAddress: '221/B\nLaxmi Road\nPune',
	}
	const drawn = await makeTaxNote({ note: { ...note, taxablePaise: 10_000_000_000 }, receipt: named })
	assert.equal(drawn.toString('latin1').match(/\/Type \/Page\b/g)?.length, 1)
})

test('a debit note of an invoice with IGST has a series of its own and one tax line, and a receipt without tax gets no note', async () => {
	const person = await shop({ gstin: '29AAGCB7383J1Z4' })
	const id = await payOnline(person, otherState)
	const lines = await linesOf(id, await issueNote(person, 'debit', true))
	assert.ok(lines.includes('Debit Note') && lines.includes(`Debit Note No. | DN/${THIS_YEAR}/000001`))
	assert.ok(lines.includes('IGST | 18% | ₹90.01') && lines.includes('Total | ₹590.01'))
	assert.equal(lines.filter((line) => /CGST|SGST|Rounding/.test(line)).length, 0)
	await payOnline(person, null)
	assert.equal(await issueNote(person, 'credit'), 0)
	assert.ok(noteText({ kind: 'credit', series: '26-27', number: 9_999_999 }).length <= 16)
})

test('an online payment without tax gets a receipt that is not a tax invoice, with the provider’s id', async () => {
	const person = await shop({ gstin: '27AAPFU0939F1ZV' })
	const lines = await linesOf(await payOnline(person, null))
	assert.ok(lines.includes('Payment Receipt'))
	assert.ok(lines.includes('Paid by | UPI') && lines.includes(`Payment ID | pay_${payments}`))
	assert.ok(lines.at(-1)?.endsWith('It is not a tax invoice.'))
	assert.ok(lines.some((line) => line.endsWith('GSTIN: 27AAPFU0939F1ZV')))
})

test('wallet.receipt names an invoice by its number and returns the same bytes after all names have changed', async () => {
	const person = await shop({ gstin: '27AAPFU0939F1ZV' })
	const id = String(await payOnline(person, sameState))
	const first = await fetchReceipt(id, person)
	assert.match(first.headers.get('content-disposition') ?? '', /filename="invoice_\d\d-\d\d_\d{6}\.pdf"/)
	const { name, email } = person
	await app.call(users.updateMe, { body: { name: `${name} Rao`, email, gstin: '29AAGCB7383J1Z4' } }, person)
	const bytesOf = async ({ body }: typeof first) => Buffer.from(await body.arrayBuffer())
	assert.ok((await bytesOf(first)).equals(await bytesOf(await fetchReceipt(id, admin))))
})

const rolledBack: typeof transaction<number> = (on, act) => transaction(on, async (sql) => (await act(sql), fails()))

test('invoice numbers have no gap when concurrent payments are rolled back, and the reconciliation reports a gap', async () => {
	const { db } = app.context
	await db`truncate receipts, tax_notes`
	await db`delete from receipt_counters where series like 'invoice:%'`
	await db`update receipt_counters set last_number = 0`
	await db`delete from ledger_entries where kind = 'recharge'`
	const people = await Promise.all(Array.from({ length: 4 }, () => shop({})))
	const attempts = people.flatMap((person) =>
		Array.from({ length: 8 }, (_, index) =>
			payOnline(person, index % 4 === 3 ? null : sameState, index % 4 === 1 ? rolledBack : transaction).catch(() => 0),
		),
	)
	await Promise.all(attempts)
	const rows = await db<{ number: number }[]>`
		select invoice_number as number from receipts where invoice_series = ${THIS_YEAR} order by 1
	`
	assert.deepEqual(
		rows.map((row) => row.number),
		Array.from({ length: 16 }, (_, index) => index + 1),
	)
	const findings = (await reconcileMoney(db)).filter(({ rule }) => rule.startsWith('receipts'))
	assert.deepEqual(findings, [])
	await db`update receipt_counters set last_number = 17 where series = ${`invoice:${THIS_YEAR}`}`
	const [gap] = (await reconcileMoney(db)).filter(({ rule }) => rule.startsWith('receipts'))
	assert.match(gap?.detail ?? '', /16 receipts, 16 numbers up to 16, counter at 17/)
})

test('concurrent first invoices of a financial year are numbered from 1, and the year begins at midnight in India', async () => {
	const { db } = app.context
	const take = (at: string) => transaction(db, (sql) => takeNumberOfYearAllAccounts(sql, 'invoice', new Date(at)))
	const first = await Promise.all(Array.from({ length: 6 }, () => take('2031-03-31T18:30:00Z')))
	assert.deepEqual(
		first.map(invoiceText).toSorted(),
		[1, 2, 3, 4, 5, 6].map((number) => `31-32/00000${number}`),
	)
	assert.equal(invoiceText(await take('2031-03-31T18:29:59.999Z')), '30-31/000001')
	assert.equal(financialYearOf(new Date('2099-12-31T00:00:00Z')), '99-00')
	assert.ok(invoiceText({ series: '26-27', number: 9_999_999_999 }).length <= 16)
})
