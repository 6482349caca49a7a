import assert from 'node:assert/strict'
import { test } from 'node:test'
import { account, type TestAccount } from '#test/factories.ts'
import { launchTestApp } from '#test/http-app.ts'
import { adminPayments } from '../admin-contract.ts'

const app = await launchTestApp()
const admin = await app.signIn('admin')
const meera = await account(app.context, { name: 'Zoë Shah', email: 'meera.shah@example.com' })
const asha = await account(app.context, { name: '=Asha & Sons' })

interface Given {
	state?: string
	minutes: number
	fault?: string
	providerId?: string
	providerPaymentId?: string
	creditedBy?: string
	cgstPaise?: number
}

let count = 0

/** Inserts a payment of ₹1,000.00 that began `minutes` ago; returns its reference. */
async function payment(person: TestAccount, given: Given): Promise<string> {
	const reference = `${person.accountId}-${++count}`
	const { state = 'paid', minutes, fault = null, providerId = null, providerPaymentId = null } = given
	await app.context.db`
		insert into payments (
			account_id, reference, request_id, user_id, credit_paise, cgst_paise, sgst_paise, state, fault, provider_id,
			provider_payment_id, method, credited_by, created_at, expires_at
		)
		values (
			${person.accountId}, ${reference}, ${reference}, ${person.userId}, 100000, ${given.cgstPaise ?? 0},
			${given.cgstPaise ?? 0}, ${state}, ${fault}, ${providerId}, ${providerPaymentId}, 'upi', ${given.creditedBy ?? null},
			now() - make_interval(mins => ${minutes}), now() + interval '1 hour'
		)
	`
	return reference
}

const oldest = await payment(meera, { minutes: 9000, providerId: 'plink_Old', providerPaymentId: 'pay_Old' })
const openForLong = await payment(asha, { minutes: 300, state: 'created' })
const faulty = await payment(meera, { minutes: 600, fault: 'paid-twice', creditedBy: 'poll', cgstPaise: 9000 })
const expired = await payment(asha, { minutes: 120, state: 'expired' })
const open = await payment(asha, { minutes: 1, state: 'created' })

async function list(query: { search?: string; state?: string; page?: number; limit?: number } = {}) {
	const { body } = await app.call(
		adminPayments.all,
		{ query: { page: 1, limit: 10, search: '', ...query } as never },
		admin,
	)
	return { ...body, references: body.payments.map(({ reference }) => reference) }
}

test('adminPayments.all lists faults first, then payments that are open for an hour, then the newest', async () => {
	const all = await list()
	assert.deepEqual(all.references, [faulty, openForLong, open, expired, oldest])
	assert.deepEqual([all.total, all.pages, all.open, all.faulty], [5, 1, 1, 1])
	const [first] = all.payments
	assert.deepEqual(
		{ ...first, _id: '', createdAt: '' },
		{
			_id: '',
			createdAt: '',
			paidAt: null,
			amount: 1000,
			tax: 180,
			total: 1180,
			refunded: 0,
			state: 'paid',
			method: 'upi',
			reference: faulty,
			url: null,
			receiptId: null,
			notes: [],
			back: null,
			problem: 'paid-twice',
			user: { _id: first?.user._id, name: meera.name, email: meera.email },
			providerId: null,
			providerPaymentId: null,
			creditedBy: 'poll',
		},
	)
	assert.deepEqual((await list({ page: 2, limit: 2 })).references, [open, expired])
})

test('adminPayments.all finds payments by name, email, reference and ids of the provider, within a state', async () => {
	for (const search of ['zoe shah', 'MEERA.SHAH@', 'Meera.shah'])
		assert.deepEqual((await list({ search })).references, [faulty, oldest], search)
	for (const search of [oldest, 'plink_old', 'PAY_OLD']) assert.deepEqual((await list({ search })).references, [oldest])
	assert.deepEqual((await list({ search: '100%_' })).references, [])
	assert.deepEqual((await list({ state: 'created' })).references, [openForLong, open])
	assert.deepEqual((await list({ state: 'paid', search: 'asha' })).references, [])
	const found = await list({ state: 'expired', search: 'asha' })
	assert.deepEqual([found.references, found.total, found.open, found.faulty], [[expired], 1, 1, 1])
	assert.equal((await list({ state: 'unknown' })).total, 5)
})

const readCsv = async (query: { search: string; state?: 'paid' }) => {
	const { body, headers } = await app.call(adminPayments.exportCsv, { query }, admin)
	assert.match(headers.get('content-disposition') ?? '', /online_payments_\d{4}-\d\d-\d\d\.csv/)
	return (await body.text()).split('\r\n').filter(Boolean)
}

test('adminPayments.exportCsv writes the matching payments, newest first, without formulas of spreadsheets', async () => {
	const [head, ...lines] = await readCsv({ search: '' })
	assert.match(head ?? '', /Begun,Paid,User,Email,State,/)
	assert.equal(lines.length, 5)
	assert.ok(lines[0]?.includes(open) && lines[0].includes("'=Asha & Sons"))
	const [, twice, ...more] = await readCsv({ search: 'zoe', state: 'paid' })
	assert.equal(more.length, 1)
	assert.match(twice ?? '', /Paid,1000\.00,90\.00,90\.00,0\.00,1180\.00,0\.00,UPI,.*,poll,Paid twice,$/)
})

test('adminPayments refuses users and strangers', async () => {
	const person = await app.signIn('user')
	for (const call of [adminPayments.all, adminPayments.exportCsv]) {
		const query = { page: 1, limit: 10, search: '' }
		assert.equal((await app.call(call, { query }, person)).status, 403)
		assert.equal((await app.call(call, { query })).status, 401)
	}
})
