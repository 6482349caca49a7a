import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wallet } from '#features/wallet/contract.ts'
import { post } from '#features/wallet/server/ledger.ts'
import { collectOwed, readSpendable } from '#features/wallet/server/owed.ts'
import { reconcileReceiptNumbers } from '#features/wallet/server/reconciliation.ts'
import { transaction } from '#lib/server/db.ts'
import { account, campaignRow, type TestAccount } from '#test/factories.ts'
import { launchTestApp } from '#test/http-app.ts'
import { payAt } from '#test/servers/payment-steps.ts'
import { reconcilePayments } from './reconciliation-queries.ts'

const app = await launchTestApp()
const { db } = app.context
const admin = await app.signIn('admin')
const steps = payAt(app)
const { provider, begin, deliver, checkDue, checkNow, read, balanceOf, textsOf, assertSound } = steps

/** Holds and captures this amount for a campaign. */
async function spend(person: TestAccount, paise: number): Promise<void> {
	const campaignId = await campaignRow(db, person.accountId)
	const reference = `spent:${campaignId}`
	await transaction(db, async (sql) => {
		const posting = { paise, campaignId, messageCount: 1 }
		await post(sql, person.accountId, { kind: 'hold', reference, ...posting })
		await post(sql, person.accountId, { kind: 'capture', reference: `${reference}:c`, ...posting })
	})
}

test('a refund takes its share of the credit back, and a failed refund returns it', async () => {
	const person = await account(app.context)
	const payment = await begin(person)
	await db`update payments set igst_paise = 18000, gst_percent = 18 where id = ${payment._id}`
	const page = provider.pages.get(payment.reference)
	assert.ok(page)
	page.totalPaise = 118_000
	const part = provider.pay(payment.reference)
	await checkNow(payment)
	part.refundedPaise = 59_001
	await deliver({ event: 'refund.processed', providerPaymentId: part.providerPaymentId })
	await checkDue()
	// 1,00,000 × 59,001 ÷ 1,18,000 = 50,000.8 paise, rounded down.
	assert.deepEqual(await balanceOf(person), { walletBalance: 500, onHold: 0, owed: 0 })
	const partly = await read(person, payment)
	assert.deepEqual([partly.state, partly.refunded, partly.total], ['paid', 590.01, 1180])
	assert.ok((await textsOf(person)).some((text) => text.includes('was refunded: ₹500.00 was taken from your wallet')))
	await assertSound(person)
	part.refundedPaise = 0
	await checkNow(payment)
	assert.equal((await balanceOf(person)).walletBalance, 1000)
	part.refundedPaise = 118_000
	await checkNow(payment)
	assert.equal((await read(person, payment)).state, 'refunded')
	assert.deepEqual(await balanceOf(person), { walletBalance: 0, onHold: 0, owed: 0 })
	await assertSound(person)
})

const TOTAL = 118_000

/** Begins and pays a payment of ₹1,000.00 and 18% GST, in halves by default. Returns it and its part at the provider. */
async function payTaxed(person: TestAccount, isOtherState = false) {
	const payment = await begin(person)
	const [half, whole] = isOtherState ? [0, 18_000] : [9_000, 0]
	await db`
		update payments set cgst_paise = ${half}, sgst_paise = ${half}, igst_paise = ${whole}, gst_percent = 18
		where id = ${payment._id}
	`
	const page = provider.pages.get(payment.reference)
	assert.ok(page)
	page.totalPaise = TOTAL
	const part = provider.pay(payment.reference)
	await checkNow(payment)
	return { payment, part }
}

interface StoredNote {
	kind: string
	number: number
	parts: number[]
}

/** Returns the notes of an account, with value, taxes and rounding in paise. */
async function notesOf({ accountId }: TestAccount): Promise<StoredNote[]> {
	return db<StoredNote[]>`
		select kind, number, array[taxable_paise, cgst_paise, sgst_paise, igst_paise, rounding_paise] as parts
		from tax_notes where account_id = ${accountId} order by id
	`
}

/** Returns the sum of each part of the notes; those of debit notes are subtracted. */
function sumOf(notes: readonly StoredNote[]): number[] {
	return [0, 1, 2, 3, 4].map((at) =>
		notes.reduce((sum, { kind, parts }) => sum + (kind === 'credit' ? 1 : -1) * (parts[at] ?? 0), 0),
	)
}

test('each refund of a tax invoice issues one note over the refunded money, and a full refund has reversed exactly the invoice', async () => {
	for (const isOtherState of [false, true]) {
		const person = await account(app.context)
		const { payment, part } = await payTaxed(person, isOtherState)
		let seen = 0
		for (const [index, refunded] of [33_333, 33_334, 70_001, 33_334, 117_999, TOTAL].entries()) {
			part.refundedPaise = refunded
			await checkNow(payment)
			await checkNow(payment)
			const notes = await notesOf(person)
			assert.equal(notes.length, index + 1)
			const note = notes.at(-1)
			assert.equal(note?.kind, refunded > seen ? 'credit' : 'debit')
			assert.equal(
				note?.parts.reduce((sum, each) => sum + each, 0),
				Math.abs(refunded - seen),
			)
			assert.equal(note?.parts[1], note?.parts[2])
			seen = refunded
			await assertSound(person)
		}
		const notes = await notesOf(person)
		assert.deepEqual(sumOf(notes), isOtherState ? [100_000, 0, 0, 18_000, 0] : [100_000, 9_000, 9_000, 0, 0])
		assert.deepEqual(await reconcileReceiptNumbers(db), [])
	}
})

test('a refund has a note over all of its money also when everything is owed, and none after a crash or without tax', async () => {
	const person = await account(app.context)
	const { payment, part } = await payTaxed(person)
	await spend(person, 100_000)
	part.lostPaise = TOTAL
	const { notify } = app.context
	app.context.notify = () => Promise.reject(new Error('crash before the commit'))
	await checkNow(payment)
	app.context.notify = notify
	assert.deepEqual(await notesOf(person), [])
	await checkNow(payment)
	assert.deepEqual(await balanceOf(person), { walletBalance: 0, onHold: 0, owed: 1000 })
	assert.deepEqual(sumOf(await notesOf(person)), [100_000, 9_000, 9_000, 0, 0])
	assert.deepEqual(await reconcileReceiptNumbers(db), [])
	const untaxed = await account(app.context)
	const plain = await begin(untaxed)
	const paid = provider.pay(plain.reference)
	await checkNow(plain)
	paid.refundedPaise = paid.paise
	await checkNow(plain)
	assert.equal((await read(untaxed, plain)).state, 'refunded')
	assert.deepEqual([await notesOf(untaxed), (await read(untaxed, plain)).notes], [[], []])
	await assertSound(untaxed)
})

test('payments.one lists the notes of a payment, its account and admins download them, and reconcilePayments finds a changed or lost one', async () => {
	const person = await account(app.context)
	const { payment, part } = await payTaxed(person)
	part.refundedPaise = 59_000
	await checkNow(payment)
	const [note, ...more] = (await read(person, payment)).notes
	assert.deepEqual([note?.kind, note?.total, more], ['credit', 590, []])
	assert.match(note?.number ?? '', /^CN\/\d\d-\d\d\/\d{6}$/)
	const download = (as: { token: string }) => app.call(wallet.taxNote, { params: { noteId: note?._id ?? '' } }, as)
	for (const reader of [person, admin]) {
		const { status, headers } = await download(reader)
		assert.equal(status, 200)
		assert.match(headers.get('content-disposition') ?? '', /filename="credit_note_\d\d-\d\d_\d{6}\.pdf"/)
	}
	assert.equal((await download(await account(app.context))).status, 404)
	for (const damage of [
		db`update tax_notes set taxable_paise = taxable_paise - 2, igst_paise = 2 where account_id = ${person.accountId}`,
		db`update tax_notes set kind = 'debit' where account_id = ${person.accountId}`,
		db`delete from tax_notes where account_id = ${person.accountId}`,
	]) {
		await damage
		const [finding, ...others] = await reconcilePayments(db, person.accountId)
		assert.deepEqual([finding?.rule, others], ['the notes of a tax invoice are what was refunded', []])
	}
	assert.equal((await reconcileReceiptNumbers(db)).length, 1)
})

test('an exact payment is credited once after one of another amount was refunded on the same page', async () => {
	const person = await account(app.context)
	const payment = await begin(person)
	provider.pay(payment.reference, { paise: 5_000, refundedPaise: 5_000 })
	await checkNow(payment)
	assert.equal((await read(person, payment)).state, 'refunded')
	provider.pay(payment.reference)
	await checkNow(payment)
	assert.deepEqual(await balanceOf(person), { walletBalance: 1000, onHold: 0, owed: 0 })
	await assertSound(person)
})

test('the part of a lost dispute that the wallet cannot pay is owed, orders are refused, and the next recharges settle it', async () => {
	const person = await account(app.context)
	const payment = await begin(person)
	const part = provider.pay(payment.reference)
	await checkNow(payment)
	await spend(person, 70_000)
	part.lostPaise = part.paise
	await deliver({ event: 'payment.dispute.lost', providerPaymentId: part.providerPaymentId })
	await checkDue()
	assert.equal((await read(person, payment)).state, 'disputed')
	assert.deepEqual(await balanceOf(person), { walletBalance: 0, onHold: 0, owed: 700 })
	assert.ok(
		(await textsOf(person)).some((text) => text.includes('disputed: ₹300.00') && text.includes('₹700.00 is owed')),
	)
	assert.match(
		(await readSpendable(db, person.accountId)).refusal?.message ?? '',
		/^₹700\.00 of a refunded payment is owed/,
	)
	await assertSound(person)

	const recharge = (amount: number) =>
		app.call(
			wallet.recharge,
			{ params: { userId: person.userId }, body: { amount, requestId: `settles-${amount}` } },
			admin,
		)
	assert.equal((await recharge(500)).body.newBalance, 0)
	assert.deepEqual(await balanceOf(person), { walletBalance: 0, onHold: 0, owed: 200 })
	const next = await begin(person)
	provider.pay(next.reference)
	await checkNow(next)
	assert.deepEqual(await balanceOf(person), { walletBalance: 800, onHold: 0, owed: 0 })
	assert.equal((await recharge(500)).body.newBalance, 0)
	assert.equal((await readSpendable(db, person.accountId)).refusal, null)
	await assertSound(person)
})

test('a check makes a routine reading unless a webhook has caused it or money was refunded', async () => {
	const person = await account(app.context)
	const payment = await begin(person)
	const part = provider.pay(payment.reference)
	await deliver({ reference: payment.reference })
	await checkDue()
	assert.equal(provider.wasRoutine, false)
	await checkNow(payment)
	assert.equal(provider.wasRoutine, true)
	part.lostPaise = 40_000
	await checkNow(payment)
	await checkNow(payment)
	assert.equal(provider.wasRoutine, false)
})

test('collectOwed settles what is owed from money that came back from a hold', async () => {
	const person = await account(app.context)
	const payment = await begin(person)
	const part = provider.pay(payment.reference)
	await checkNow(payment)
	const campaignId = await campaignRow(db, person.accountId)
	const posting = { paise: 60_000, campaignId, messageCount: 600 }
	await post(db, person.accountId, { kind: 'hold', reference: 'hold', ...posting })
	part.refundedPaise = part.paise
	await checkNow(payment)
	assert.deepEqual(await balanceOf(person), { walletBalance: 0, onHold: 600, owed: 600 })
	await collectOwed(app.context)
	await post(db, person.accountId, { kind: 'release', reference: 'release', ...posting })
	await collectOwed(app.context)
	await collectOwed(app.context)
	assert.deepEqual(await balanceOf(person), { walletBalance: 0, onHold: 0, owed: 0 })
})
