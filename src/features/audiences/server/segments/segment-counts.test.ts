import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Rule, SegmentRules } from '#features/audiences/segment-contract.ts'
import { readValues } from '#features/contacts/custom-fields.ts'
import type { GivenValues } from '#features/contacts/server/fields/field-queries.ts'
import { createField, ensureTags } from '#features/contacts/server/fields/fields.ts'
import { writeGiven } from '#features/contacts/server/fields/values.ts'
import { transaction } from '#lib/server/db.ts'
import { planScans } from '#lib/server/db/scan-plans.ts'
import { account, campaignRow, contact } from '#test/factories.ts'
import { launchTestApp } from '#test/http-app.ts'
import { listLatest } from './rule-queries.ts'
import { countSegment } from './segment-count-queries.ts'
import { readRules } from './segments.ts'

const app = await launchTestApp()

const PEOPLE = 60
/** Days since the status change, reply or click of a person. Each person has one of these values. */
const DAYS = [2, 20, 50]

/** Returns the properties of person `at`, from which both the rows and the expected counts are made. */
function person(at: number) {
	const isRow = at % 4 !== 1
	const status = (['read', 'delivered', 'sent', 'failed', 'pending', null, null] as const)[at % 7] ?? null
	const didSend = status !== null && status !== 'failed' && status !== 'pending'
	return {
		at,
		/** False for people who got messages and are not contacts any more. */
		isContact: at < PEOPLE,
		number: `${at % 5 === 0 ? '1415' : '9198'}${String(70_000_000 + at)}`,
		isVip: isRow && at % 3 === 0,
		owes: isRow && at % 2 === 0 ? at * 10 : null,
		isOut: at % 6 === 0,
		status,
		didSend,
		days: DAYS[at % 3] ?? 0,
		didClick: didSend && at % 2 === 0,
		didReply: didSend && at % 5 < 2,
		/** True for a second message in the same campaign, as API campaigns have, which is never clicked. */
		isTwice: didSend && at % 8 === 0,
	}
}

test('countSegment returns the expected count for mixes of rules and their opposites, with all and with any', async () => {
	const { accountId } = await account(app.context)
	const { db } = app.context
	const owes = await createField(db, accountId, { name: 'Owes', type: 'number' })
	const everybody = Array.from({ length: PEOPLE + 15 }, (_, at) => person(at))
	const people = everybody.filter(({ isContact }) => isContact)
	for (const { at, number } of people) await contact(db, accountId, { firstName: `P${at}`, number })
	const given = new Map<string, GivenValues>()
	for (const { number, isVip, owes: due } of people)
		if (isVip || due !== null)
			given.set(number, { tags: isVip ? ['VIP'] : [], ...readValues([owes], due === null ? {} : { Owes: `${due}` }) })
	await transaction(db, (sql) => writeGiven(sql, accountId, { given, existing: 'replace' }))
	const out = people.filter(({ isOut }) => isOut).map(({ number }) => number)
	await db`
		update contacts set opted_out_at = now(), opted_out_because = 'manual'
		where account_id = ${accountId} and number = any(${out}::text[])
	`
	const campaign = await campaignRow(db, accountId, { kind: 'api' })
	for (const { at, number, status, days, isTwice, didClick, didReply } of everybody) {
		if (status === null) continue
		const seqs = isTwice ? [at + 1, at + 1001] : [at + 1]
		await db`
			insert into campaign_messages (account_id, campaign_id, seq, number, status, status_at)
			select ${accountId}::bigint, ${campaign}::bigint, s, ${number}, ${status}::message_status, now() - make_interval(days => ${days})
			from unnest(${seqs}::int[]) s
		`
		if (didReply)
			await db`
				insert into campaign_replies (account_id, campaign_id, seq, replied_at)
				values (${accountId}, ${campaign}, ${at + 1}, now() - make_interval(days => ${days}))
			`
		for (const click of didClick ? ['a', 'b'] : [])
			await db`
				insert into campaign_clicks (account_id, campaign_id, seq, click_id, button, is_first, clicked_at)
				values (${accountId}, ${campaign}, ${at + 1}, ${click}, 0, ${click === 'a'}, now() - make_interval(days => ${days}))
			`
	}
	const tag = String((await ensureTags(db, accountId, { names: ['VIP'] })).get('vip'))
	const field = String(owes.id)
	type Kind = [Rule, (one: ReturnType<typeof person>) => boolean]
	const kinds: Kind[] = [
		[{ kind: 'tag', is: true, tag }, ({ isVip }) => isVip],
		[{ kind: 'optedOut', is: true }, ({ isOut }) => isOut],
		[{ kind: 'country', is: true, code: '1' }, ({ at }) => at % 5 === 0],
		[{ kind: 'neverWritten', is: false }, ({ didSend }) => didSend],
		[
			{ kind: 'received', is: true, days: 30 },
			({ status, days }) => (status === 'read' || status === 'delivered') && days < 30,
		],
		[{ kind: 'read', is: true }, ({ status }) => status === 'read'],
		[{ kind: 'replied', is: true, days: 30 }, ({ didReply, days }) => didReply && days < 30],
		[{ kind: 'clicked', is: true, campaign: String(campaign) }, ({ didClick }) => didClick],
	]
	const cases: Kind[] = [
		...kinds,
		...kinds.map(([rule, meets]): Kind => [{ ...rule, is: !('is' in rule && rule.is) } as Rule, (one) => !meets(one)]),
		[{ kind: 'field', field, operator: 'atLeast', value: '200' }, ({ owes: due }) => due !== null && due >= 200],
		[{ kind: 'field', field, operator: 'empty', value: '' }, ({ owes: due }) => due === null],
		[{ kind: 'didNotClick', campaign: String(campaign) }, ({ didSend, didClick }) => didSend && !didClick],
	]
	const check = async (chosen: Kind[], match: SegmentRules['match']) => {
		const rules = chosen.map(([rule]) => rule)
		const expected = people
			.filter((one) =>
				match === 'all' ? chosen.every(([, meets]) => meets(one)) : chosen.some(([, meets]) => meets(one)),
			)
			.map(({ at }) => `P${at}`)
		const segment = await readRules(db, accountId, { match, rules })
		const [count, latest] = await transaction(db, async (sql) => {
			await planScans(sql)
			return [
				await countSegment(sql, accountId, segment),
				await listLatest(sql, accountId, { segment, limit: PEOPLE }),
			] as const
		})
		const said = JSON.stringify({ match, rules })
		assert.deepEqual(latest.map((one) => one.firstName).toReversed(), expected, said)
		assert.equal(count, expected.length, said)
	}
	for (const [at, one] of cases.entries()) {
		await check([one], 'all')
		for (const [match, step] of [
			['all', 3],
			['any', 5],
		] as const) {
			const [two, three] = [cases[(at + step) % cases.length], cases[(at * 7 + step) % cases.length]]
			if (two) await check([one, two], match)
			if (two && three) await check([one, two, three], match)
		}
		for (const other of cases.slice(at + 1)) await check([one, other], at % 2 === 0 ? 'all' : 'any')
	}
})
