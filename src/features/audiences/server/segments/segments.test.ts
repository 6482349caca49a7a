import assert from 'node:assert/strict'
import { test } from 'node:test'
import { segments, type Rule, type SegmentRules } from '#features/audiences/segment-contract.ts'
import { createCampaign } from '#features/campaigns/server/service.ts'
import { contacts } from '#features/contacts/contract.ts'
import { readValues } from '#features/contacts/custom-fields.ts'
import type { GivenValues } from '#features/contacts/server/fields/field-queries.ts'
import { createField, ensureTags, removeTag } from '#features/contacts/server/fields/fields.ts'
import { writeGiven } from '#features/contacts/server/fields/values.ts'
import { createGroup } from '#features/contacts/server/groups/groups.ts'
import { transaction } from '#lib/server/db.ts'
import { account, campaignRow, contact, template, type TestAccount } from '#test/factories.ts'
import { campaignForm } from '#test/full-stack.ts'
import { launchTestApp } from '#test/http-app.ts'

const app = await launchTestApp()

interface Shop extends TestAccount {
	ids: Record<string, string>
}

/**
 * Creates five people: Asha (VIP, Pune, owes 100, 1 Jan 2026, member), Bina (VIP and Gold, Delhi, owes 500), Chirag (no
 * tags, member no), Dev in the United States, in a group and opted out, and Esha, added a year ago. Asha and Bina have
 * read a campaign, Bina has replied, Asha has clicked twice. Chirag has received it too, and has clicked in an older
 * one.
 */
async function shop(): Promise<Shop> {
	const tenant = await account(app.context, { balancePaise: 100_000 })
	const { db } = app.context
	const { accountId } = tenant
	const fields = []
	for (const [name, type] of [
		['City', 'text'],
		['Due', 'number'],
		['Since', 'date'],
		['Member', 'yesno'],
	] as const)
		fields.push(await createField(db, accountId, { name, type }))
	const group = await createGroup(db, accountId, { name: 'Abroad', type: 'international', description: null })
	const add = async (firstName: string, more: object = {}) =>
		(await contact(db, accountId, { firstName, ...more })).number
	const numbers = {
		Asha: await add('Asha'),
		Bina: await add('Bina'),
		Chirag: await add('Chirag'),
		Dev: await add('Dev', { number: `1415555${String(accountId).padStart(4, '0')}`, groupId: group.id }),
		Esha: await add('Esha'),
	}
	const given = new Map<string, GivenValues>([
		[
			numbers.Asha,
			{ tags: ['VIP'], ...readValues(fields, { City: 'Pune', Due: '100', Since: '2026-01-01', Member: 'y' }) },
		],
		[numbers.Bina, { tags: ['VIP', 'Gold'], ...readValues(fields, { City: 'New Delhi', Due: '500' }) }],
		[numbers.Chirag, readValues(fields, { Member: 'no' })],
	])
	await transaction(db, (sql) => writeGiven(sql, accountId, { given, existing: 'replace' }))
	await db`update contacts set opted_out_at = now(), opted_out_because = 'manual' where account_id = ${accountId} and number = ${numbers.Dev}`
	await db`update contacts set created_at = now() - interval '1 year' where account_id = ${accountId} and number = ${numbers.Esha}`
	const campaign = await campaignRow(db, accountId)
	const old = await campaignRow(db, accountId)
	await db`update campaigns set updated_at = now() - interval '60 days' where account_id = ${accountId} and id = ${old}`
	await db`
		insert into campaign_messages (account_id, campaign_id, seq, number, status, status_at) values
			(${accountId}, ${campaign}, 1, ${numbers.Asha}, 'read', now() - interval '10 days'),
			(${accountId}, ${campaign}, 2, ${numbers.Bina}, 'read', now() - interval '2 days'),
			(${accountId}, ${campaign}, 3, ${numbers.Chirag}, 'delivered', now()),
			(${accountId}, ${campaign}, 4, ${numbers.Dev}, 'failed', now()),
			(${accountId}, ${old}, 1, ${numbers.Chirag}, 'read', now() - interval '60 days')
	`
	await db`insert into campaign_replies (account_id, campaign_id, seq, replied_at) values (${accountId}, ${campaign}, 2, now())`
	await db`
		insert into campaign_clicks (account_id, campaign_id, seq, click_id, button, is_first, clicked_at) values
			(${accountId}, ${campaign}, 1, 'a', 0, true, now() - interval '10 days'),
			(${accountId}, ${campaign}, 1, 'b', 0, false, now() - interval '2 days'),
			(${accountId}, ${old}, 1, 'c', 0, true, now() - interval '60 days')
	`
	const tags = await ensureTags(db, accountId, { names: ['VIP', 'Gold'] })
	const byName = Object.fromEntries(fields.map(({ name, id }) => [name, String(id)]))
	const ids = { ...byName, VIP: String(tags.get('vip')), Gold: String(tags.get('gold')), group: String(group.id) }
	return { ...tenant, ids: { ...ids, campaign: String(campaign), old: String(old) } }
}

const count = (as: TestAccount, rules: Rule[], match: SegmentRules['match'] = 'all') =>
	app.call(segments.count, { body: { match, rules } }, as)

/** Returns the first letters of the recipients of a campaign for these rules, after checking that the count agrees. */
async function chosen(as: Shop, rules: Rule[], match: SegmentRules['match'] = 'all'): Promise<string> {
	const { db } = app.context
	const name = `S${Math.random()}`
	const created = await app.call(segments.create, { body: { name, match, rules } }, as)
	assert.equal(created.status, 200, JSON.stringify(created.body))
	const counted = await count(as, rules, match)
	assert.equal(counted.status, 200, JSON.stringify(counted.body))
	if (counted.body.contacts === 0) return ''
	const { templateId } = await template(db, as.accountId, { category: 'UTILITY' })
	const form = campaignForm(templateId, { audienceType: 'segment', segmentId: created.body.segment._id })
	const id = await createCampaign(app.context, as.accountId, form)
	const rows = await db<{ name: string }[]>`
		select name from campaign_messages where account_id = ${as.accountId} and campaign_id = ${id} order by seq
	`
	// Deletes the messages, so that the campaign does not affect the rules of the next call.
	await db`delete from campaign_messages where account_id = ${as.accountId} and campaign_id = ${id}`
	assert.equal(rows.length, counted.body.contacts)
	return rows.map((row) => row.name.slice(0, 1)).join('')
}

test('each kind of rule chooses its contacts, and its opposite all others', async () => {
	const as = await shop()
	const { ids } = as
	const rules: [Rule, string][] = [
		[{ kind: 'tag', is: true, tag: ids.VIP ?? '' }, 'AB'],
		[{ kind: 'group', is: true, group: ids.group ?? '' }, 'D'],
		[{ kind: 'added', is: true, days: 30 }, 'ABCD'],
		[{ kind: 'country', is: true, code: '1' }, 'D'],
		[{ kind: 'optedOut', is: true }, 'D'],
		[{ kind: 'neverWritten', is: true }, 'DE'],
		[{ kind: 'received', is: true }, 'ABC'],
		[{ kind: 'read', is: true }, 'ABC'],
		[{ kind: 'read', is: true, campaign: ids.campaign }, 'AB'],
		[{ kind: 'read', is: true, days: 30 }, 'AB'],
		[{ kind: 'read', is: true, days: 5 }, 'B'],
		[{ kind: 'replied', is: true, days: 7 }, 'B'],
		[{ kind: 'replied', is: true, campaign: ids.old }, ''],
		[{ kind: 'clicked', is: true }, 'AC'],
		[{ kind: 'clicked', is: true, campaign: ids.campaign }, 'A'],
		[{ kind: 'clicked', is: true, days: 5 }, 'A'],
		[{ kind: 'clicked', is: true, campaign: ids.old, days: 5 }, ''],
	]
	for (const [rule, expected] of rules) {
		const others = Array.from('ABCDE')
			.filter((letter) => !expected.includes(letter))
			.join('')
		assert.equal(await chosen(as, [rule]), expected, JSON.stringify(rule))
		assert.equal(await chosen(as, [{ ...rule, is: false } as Rule]), others, `not ${JSON.stringify(rule)}`)
	}
})

test('didNotClick chooses recipients who clicked no link, and no recipient whose message failed', async () => {
	const as = await shop()
	const { ids } = as
	const rule: Rule = { kind: 'didNotClick', campaign: ids.campaign ?? '' }
	assert.equal(await chosen(as, [rule]), 'BC')
	assert.equal(await chosen(as, [{ ...rule, campaign: ids.old ?? '' }]), '')
	assert.equal(await chosen(as, [rule, { kind: 'tag', is: true, tag: ids.VIP ?? '' }]), 'B')
	assert.equal((await count(as, [{ ...rule, campaign: '999999' }])).status, 400)
	// A retry of an API campaign has two messages to a number that clicked in one of them.
	const { db } = app.context
	const { accountId } = as
	await db`update campaigns set retry_of = ${ids.old} where account_id = ${accountId} and id = ${ids.campaign}`
	await db`
		insert into campaign_messages (account_id, campaign_id, seq, number, status)
		select account_id, campaign_id, seq + 1000, number, 'sent' from campaign_messages m
		where account_id = ${accountId} and campaign_id = ${ids.campaign} and exists (
			select from campaign_clicks k
			where k.account_id = m.account_id and k.campaign_id = m.campaign_id and k.seq = m.seq
		)
	`
	assert.equal(await chosen(as, [rule]), 'BC')
})

test('field rules compare texts without case, and numbers, dates and answers by value', async () => {
	const as = await shop()
	type FieldRule = Extract<Rule, { kind: 'field' }>
	const field = (name: string, operator: FieldRule['operator'], value = ''): FieldRule => ({
		kind: 'field',
		field: as.ids[name] ?? '',
		operator,
		value,
	})
	const cases: [Rule, string][] = [
		[field('City', 'is', 'pune'), 'A'],
		[field('City', 'isNot', 'Pune'), 'BCDE'],
		[field('City', 'contains', 'DELHI'), 'B'],
		[field('City', 'contains', '%'), ''],
		[field('City', 'filled'), 'AB'],
		[field('City', 'empty'), 'CDE'],
		[field('Due', 'is', '100'), 'A'],
		[field('Due', 'atLeast', '₹100'), 'AB'],
		[field('Due', 'atMost', '499.99'), 'A'],
		[{ ...field('Due', 'atLeast', '100'), isStrict: true }, 'B'],
		[{ ...field('Due', 'atMost', '500'), isStrict: true }, 'A'],
		[field('Since', 'atLeast', '01/01/2026'), 'A'],
		[field('Since', 'atMost', '2025-12-31'), ''],
		[field('Member', 'is', 'yes'), 'A'],
		[field('Member', 'is', 'no'), 'C'],
		[field('Member', 'isNot', 'yes'), 'BCDE'],
	]
	for (const [rule, expected] of cases) assert.equal(await chosen(as, [rule]), expected, JSON.stringify(rule))
})

test('rules are combined by all or any, across contacts, values and messages', async () => {
	const as = await shop()
	const { ids } = as
	const vip: Rule = { kind: 'tag', is: true, tag: ids.VIP ?? '' }
	const notGold: Rule = { kind: 'tag', is: false, tag: ids.Gold ?? '' }
	const optedOut: Rule = { kind: 'optedOut', is: true }
	const replied: Rule = { kind: 'replied', is: true }
	assert.equal(await chosen(as, [vip, notGold]), 'A')
	assert.equal(await chosen(as, [vip, notGold], 'any'), 'ABCDE')
	assert.equal(await chosen(as, [vip, optedOut]), '')
	assert.equal(await chosen(as, [vip, optedOut], 'any'), 'ABD')
	assert.equal(await chosen(as, [notGold, { kind: 'read', is: true }]), 'AC')
	assert.equal(await chosen(as, [optedOut, replied], 'any'), 'BD')
	assert.equal(await chosen(as, [notGold, { ...optedOut, is: false }, { ...replied, is: false }]), 'ACE')
})

test('createCampaign to a segment leaves out opt-outs, stores the segment’s name, and adds no later contact when repeated', async () => {
	const as = await shop()
	const rules: Rule[] = [{ kind: 'added', is: true, days: 30 }]
	const { body } = await app.call(segments.create, { body: { name: 'New people', match: 'all', rules } }, as)
	const { templateId } = await template(app.context.db, as.accountId)
	const form = campaignForm(templateId, { audienceType: 'segment', segmentId: body.segment._id, requestId: 'once' })
	const id = await createCampaign(app.context, as.accountId, form)
	await app.call(contacts.create, { body: { firstName: 'Late', number: '9811999999' } }, as)
	assert.equal(await createCampaign(app.context, as.accountId, form), id)
	const [row] = await app.context.db<{ total: number; audience: string; segment: string }[]>`
		select total_count as total, audience_name as audience, segment_id::text as segment
		from campaigns where account_id = ${as.accountId} and id = ${id}
	`
	assert.deepEqual({ ...row }, { total: 3, audience: 'New people', segment: body.segment._id })
	await assert.rejects(
		createCampaign(app.context, as.accountId, campaignForm(templateId, { audienceType: 'segment' })),
		{
			status: 400,
			message: 'Please select a segment',
		},
	)
})

test('createCampaign returns 409 when a repeated request names another segment of the same name', async () => {
	const as = await shop()
	const add = async (days: number) => {
		const body = { name: 'Ours', match: 'all' as const, rules: [{ kind: 'added' as const, is: true, days }] }
		return (await app.call(segments.create, { body }, as)).body.segment
	}
	const first = await add(30)
	const { templateId } = await template(app.context.db, as.accountId)
	const order = (segmentId: string) =>
		createCampaign(
			app.context,
			as.accountId,
			campaignForm(templateId, { name: 'Offer', audienceType: 'segment', segmentId, requestId: 'repeated' }),
		)
	await order(first._id)
	await app.call(segments.remove, { params: { id: first._id } }, as)
	await assert.rejects(order((await add(500))._id), { status: 409 })
})

test('rules about deleted objects and with operators that the field lacks are refused instead of choosing everybody', async () => {
	const as = await shop()
	const { ids } = as
	const rule: Rule = { kind: 'tag', is: false, tag: ids.VIP ?? '' }
	const saved = await app.call(segments.create, { body: { name: 'Others', match: 'all', rules: [rule] } }, as)
	await removeTag(app.context.db, as.accountId, ids.VIP ?? '')
	assert.deepEqual(
		[(await count(as, [rule])).status, (await count(as, [rule])).body],
		[400, { message: 'Rule 1: this tag was deleted' }],
	)
	const { templateId } = await template(app.context.db, as.accountId)
	const form = campaignForm(templateId, { audienceType: 'segment', segmentId: saved.body.segment._id })
	await assert.rejects(createCampaign(app.context, as.accountId, form), { status: 400 })
	const wrong: Rule[] = [
		{ kind: 'group', is: true, group: '999999' },
		{ kind: 'country', is: true, code: '999' },
		{ kind: 'country', is: false, code: '9' },
		{ kind: 'read', is: true, campaign: '999999' },
		{ kind: 'field', field: '999999', operator: 'filled', value: '' },
		{ kind: 'field', field: ids.Due ?? '', operator: 'is', value: 'much' },
		{ kind: 'field', field: ids.Due ?? '', operator: 'contains', value: '1' },
		{ kind: 'field', field: ids.City ?? '', operator: 'atLeast', value: 'Pune' },
		{ kind: 'field', field: ids.City ?? '', operator: 'is', value: ' ' },
	]
	for (const one of wrong) assert.equal((await count(as, [one])).status, 400, JSON.stringify(one))
})

test('segments.create accepts 1 to 20 rules of known kinds, and returns 409 for a taken name', async () => {
	const as = await shop()
	const rule: Rule = { kind: 'optedOut', is: false }
	const create = (body: object) =>
		app.call(segments.create, { body: { name: 'One', match: 'all', ...body } as never }, as)
	for (const rules of [
		[],
		Array.from({ length: 21 }, () => rule),
		[{ kind: 'rich', is: true }],
		[{ kind: 'added', is: true, days: 1e9 }],
	])
		assert.equal((await create({ rules })).status, 400)
	assert.equal((await create({ rules: [rule], name: ' ' })).status, 400)
	const made = await create({ rules: Array.from({ length: 20 }, () => rule) })
	assert.equal(made.status, 200)
	assert.equal((await create({ rules: [rule], name: 'ONE' })).status, 409)
	const id = made.body.segment._id
	const renamed = { name: 'Two', match: 'any' as const, rules: [rule] }
	const changed = await app.call(segments.update, { params: { id }, body: renamed }, as)
	assert.deepEqual([changed.body.segment.name, changed.body.segment.rules], ['Two', [rule]])
	assert.equal((await app.call(segments.remove, { params: { id } }, as)).status, 200)
	assert.deepEqual((await app.call(segments.list, {}, as)).body.segments, [])
})
