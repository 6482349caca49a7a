import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contacts, type OptOutReason } from '#features/contacts/contract.ts'
import type { AccountId } from '#lib/server/db.ts'
import { contact } from '#test/factories.ts'
import { launchTestApp } from '#test/http-app.ts'
import { applyOptOuts } from './opt-outs.ts'

const app = await launchTestApp()

const NUMBER = '919876543210'
const [NINE, TEN] = [new Date('2026-01-01T09:00:00Z'), new Date('2026-01-01T10:00:00Z')]
const statement = (optedOut: boolean, at: Date, because: OptOutReason = 'manual') => ({
	number: NUMBER,
	optedOut,
	because,
	at,
})

async function known(accountId: AccountId) {
	const [row] = await app.context.db<{ optedOut: boolean; because: string; since: Date }[]>`
		select is_opted_out as "optedOut", because, changed_at as since from opt_outs
		where account_id = ${accountId} and number = ${NUMBER}
	`
	return row && { ...row }
}

test('applyOptOuts keeps the opt-out when an opt-in has the same time, in one batch or two, in either order', async () => {
	const { db } = app.context
	for (const statements of [
		[statement(true, NINE), statement(false, NINE)],
		[statement(false, NINE), statement(true, NINE)],
	]) {
		const [together, apart] = [(await app.signIn('user')).accountId, (await app.signIn('user')).accountId]
		await applyOptOuts(db, together, statements)
		for (const one of statements) await applyOptOuts(db, apart, [one])
		for (const accountId of [together, apart]) assert.equal((await known(accountId))?.optedOut, true)
	}
})

test('applyOptOuts ignores an earlier opt-in that arrives after a later opt-out', async () => {
	const { accountId } = await app.signIn('user')
	await applyOptOuts(app.context.db, accountId, [statement(true, TEN)])
	assert.deepEqual(await applyOptOuts(app.context.db, accountId, [statement(false, NINE)]), [])
	assert.equal((await known(accountId))?.optedOut, true)
})

test('applyOptOuts keeps the reason and the time of the first opt-out when it is repeated', async () => {
	const { accountId } = await app.signIn('user')
	await applyOptOuts(app.context.db, accountId, [statement(true, NINE, 'network')])
	assert.deepEqual(await applyOptOuts(app.context.db, accountId, [statement(true, TEN, 'manual')]), [])
	assert.deepEqual(await known(accountId), { optedOut: true, because: 'network', since: NINE })
})

test('contacts.optedOut finds a name without its accents, with other quotes and in another case', async () => {
	const person = await app.signIn('user')
	for (const [firstName, number] of [
		['Zébra O’Brien', NUMBER],
		['Meera', '919876543211'],
	] as const)
		await contact(app.context.db, person.accountId, { firstName, lastName: null, number })
	const at = NINE
	const out = [NUMBER, '919876543211'].map((number) => ({ number, optedOut: true, because: 'manual' as const, at }))
	await applyOptOuts(app.context.db, person.accountId, out)
	for (const search of ['zebra', "ZEBRA o'brien", 'Zébra', 'O´Brien']) {
		const { body } = await app.call(contacts.optedOut, { query: { page: 1, limit: 10, search } }, person)
		assert.deepEqual(
			body.optedOut.map(({ name }) => name),
			['Zébra O’Brien'],
			search,
		)
	}
})
