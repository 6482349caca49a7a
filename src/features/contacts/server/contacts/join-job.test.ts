import assert from 'node:assert/strict'
import { test } from 'node:test'
import { joinChats } from '#features/chats/server/join-chats.ts'
import { notificationOf } from '#features/notifications/server/kinds.ts'
import type { AccountId } from '#lib/server/db.ts'
import { launchTestApp } from '#test/http-app.ts'
import { joinHandlers } from './join-job.ts'
import { insertContacts } from './queries.ts'

const app = await launchTestApp()
const { db, notify } = app.context

const [handler] = joinHandlers({
	db,
	notify,
	wordsFor: (people) => notificationOf.contactsJoined({ people }),
	moveOthers: (accountId) => joinChats(db, accountId),
})

async function join(accountId: AccountId, signal = new AbortController().signal): Promise<void> {
	await handler?.run({ data: { after: Number(accountId) - 1 }, signal, isMine: async () => true })
	await db`delete from jobs where kind = 'join-numbers'`
}

async function stateOf(accountId: AccountId) {
	const contacts = await db<{ name: string; number: string; groupId: number | null; out: boolean; tags: number[] }[]>`
		select c.first_name || coalesce(' ' || c.last_name, '') as name, c.number, c.group_id as "groupId",
			c.opted_out_at is not null as out, coalesce(v.tags, '{}') as tags
		from contacts c left join contact_values v on v.account_id = c.account_id and v.contact_id = c.id
		where c.account_id = ${accountId} order by c.number
	`
	const optOuts = await db<{ number: string }[]>`
		select number from opt_outs where account_id = ${accountId} and is_opted_out order by number
	`
	const chats = await db<{ key: string; unread: number }[]>`
		select key, unread from chats where account_id = ${accountId} order by key
	`
	const notes = await db<{ text: string }[]>`
		select text from notifications where account_id = ${accountId} and text like 'Contacts that were two%'
	`
	return {
		contacts: contacts.map((one) => ({ ...one })),
		optOuts: optOuts.map(({ number }) => number),
		chats: chats.map(({ key, unread }) => `${key} ${unread}`),
		notes: notes.map(({ text }) => text),
	}
}

test('the join job joins two spellings into one contact, keeps group, tags and opt-out, and notifies the account', async () => {
	const { accountId } = await app.signIn('user')
	const [group] = await db<{ id: number }[]>`
		insert into contact_groups (account_id, name, type) values (${accountId}, 'Customers', 'national') returning id
	`
	const named = { lastName: null, groupId: null }
	await insertContacts(db, accountId, [
		{ ...named, firstName: 'Ana', number: '5511987654321' },
		{ firstName: 'Ana', lastName: 'Lima', number: '551187654321', groupId: group?.id ?? null },
		{ ...named, firstName: 'Asha', number: '9109811122081' },
		{ ...named, firstName: 'Ravi', number: '919811122082' },
		{ ...named, firstName: 'Odd', number: '99912345' },
	])
	await db`
		insert into contact_values (account_id, contact_id, tags)
		select account_id, id, case when number = '551187654321' then '{7,8}'::bigint[] else '{8,9}' end
		from contacts where account_id = ${accountId} and first_name = 'Ana'
	`
	await db`
		insert into opt_outs (account_id, number, is_opted_out, because, changed_at, said_at)
		select ${accountId}, number, true, 'reply', now(), now()
		from unnest('{551187654321,9109811122081,525512345678,5215512345679}'::text[]) as n (number)
	`
	await db`
		insert into chats (account_id, key, last_at, unread)
		values (${accountId}, '551187654321', now(), 2), (${accountId}, '5511987654321', now(), 1), (${accountId}, '5215512345679', now(), 4)
	`
	await join(accountId)
	const expected = await stateOf(accountId)
	assert.deepEqual(expected, {
		contacts: [
			{ name: 'Ana Lima', number: '5511987654321', groupId: group?.id, out: true, tags: [8, 9, 7] },
			{ name: 'Asha', number: '919811122081', groupId: null, out: true, tags: [] },
			{ name: 'Ravi', number: '919811122082', groupId: null, out: false, tags: [] },
			{ name: 'Odd', number: '99912345', groupId: null, out: false, tags: [] },
		],
		optOuts: ['525512345678', '525512345679', '5511987654321', '919811122081'],
		chats: ['525512345679 4', '5511987654321 3'],
		notes: [
			'Contacts that were two spellings of one number are one contact now: Ana +55 11 98765 4321 ' +
				'(also stored as 551187654321). Groups, tags, values and opt-outs were kept.',
		],
	})
	await join(accountId)
	assert.deepEqual(await stateOf(accountId), expected)
	const [count] = await db<{ contacts: number }[]>`
		select contacts from contact_counts where account_id = ${accountId} and group_id = ${group?.id ?? 0}
	`
	assert.equal(count?.contacts, 1)
})

test('the join job stops between batches when its signal aborts, and continues in the next run', async () => {
	const { accountId } = await app.signIn('user')
	await insertContacts(db, accountId, [{ firstName: 'Ana', lastName: null, number: '551187654321', groupId: null }])
	await assert.rejects(join(accountId, AbortSignal.abort()))
	assert.equal((await stateOf(accountId)).contacts[0]?.number, '551187654321')
	await join(accountId)
	assert.equal((await stateOf(accountId)).contacts[0]?.number, '5511987654321')
})
