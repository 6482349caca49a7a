import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toContacts } from '#features/audiences/server/recipients/recipient-sources.ts'
import { writeOrder } from '#features/campaigns/server/creation/write-order.ts'
import { HOURS_OF_WEEK } from '#features/delivery/server/settlement/reconciliation-queries.ts'
import { post } from '#features/wallet/server/ledger.ts'
import { recharge } from '#features/wallet/server/service.ts'
import { transaction, type AccountId } from '#lib/server/db.ts'
import { createLog } from '#lib/server/log.ts'
import { account, contact } from '#test/factories.ts'
import { launchTestApp } from '#test/http-app.ts'
import { reconcileMoney, reconcileMoneyHourly } from './reconciliation.ts'

const app = await launchTestApp()
const db = app.context.db
const adminId = Number((await account(app.context, { role: 'admin' })).userId)

/** Scope of a reconciliation that checks no account: none has changed since 2099, and no turn is scheduled. */
const NOTHING = { since: new Date('2099-01-01'), turns: [] }
const rulesOf = (findings: { rule: string }[]) => [...new Set(findings.map(({ rule }) => rule))]

/** Creates an account with ₹1,000. */
async function rechargedAccount(): Promise<AccountId> {
	const { accountId, userId } = await account(app.context)
	await recharge(app.context, userId, { amountPaise: 100_000, actor: { adminId, ip: '192.0.2.1' } })
	return accountId
}

/** Creates a campaign of three unsent messages. */
async function campaignOf(): Promise<{ accountId: AccountId; id: number }> {
	const accountId = await rechargedAccount()
	for (let n = 0; n < 3; n++) await contact(db, accountId)
	const { id } = await transaction(db, (sql) =>
		writeOrder(sql, accountId, {
			name: 'Diwali',
			template: { name: 'hello', language: 'en', category: 'MARKETING', components: [], headerFile: null },
			variables: {},
			audienceType: 'all',
			audienceName: 'All contacts',
			groupId: null,
			source: toContacts({ groupId: null, segment: null }),
			pricePaise: 30,
			abroadPrices: null,
			requestId: null,
			opensAt: null,
		}),
	)
	return { accountId, id }
}

const PLANTED: { what: string; plant: (accountId: AccountId) => PromiseLike<unknown>; rule: string }[] = [
	{
		what: 'a wallet has a paisa that no entry explains',
		plant: (accountId) => db`update wallets set held_paise = held_paise + 1 where account_id = ${accountId}`,
		rule: 'the wallet has what its last entry says',
	},
	{
		what: 'an entry changes more than its balance shows',
		plant: (accountId) => db`
			update ledger_entries set held_change_paise = held_change_paise + 1 where account_id = ${accountId} and kind = 'hold'`,
		rule: 'each entry stands on the one before it',
	},
	{
		what: 'a line of the statement differs from its entries',
		plant: (accountId) => db`
			update statement_lines set message_count = message_count + 1 where account_id = ${accountId} and kind = 'hold'`,
		rule: 'the statement says what the ledger says',
	},
	{
		what: 'a line has what belongs to a line of another part',
		async plant(accountId) {
			const hold = { kind: 'hold', paise: 30, messageCount: 1 } as const
			const [{ id } = { id: 0 }] = await db<{ id: number }[]>`select id from campaigns where account_id = ${accountId}`
			for (const n of [1, 2]) await post(db, accountId, { ...hold, reference: `more:${n}`, campaignId: id })
			await db`
				update statement_lines l
				set held_change_paise = held_change_paise + case when id = f.first then 1 else -1 end
				from (
					select min(id) as first, max(id) as last from statement_lines where account_id = ${accountId} and kind = 'hold'
				) f
				where account_id = ${accountId} and id in (f.first, f.last)
			`
		},
		rule: 'the statement says what the ledger says',
	},
	{
		what: 'a recharge has no receipt',
		plant: (accountId) => db`delete from receipts where account_id = ${accountId}`,
		rule: 'every recharge has a receipt',
	},
	{
		what: 'money is held for no campaign',
		async plant(accountId) {
			await db`update ledger_entries set campaign_id = null where account_id = ${accountId}`
			await db`update statement_lines set campaign_id = 0 where account_id = ${accountId}`
		},
		rule: 'what concerns no campaign comes to nothing',
	},
	{
		what: 'a campaign holds less than its pending messages cost',
		plant: (accountId) => db`update campaigns set price_paise = price_paise + 1 where account_id = ${accountId}`,
		rule: 'a campaign holds the price of its pending messages',
	},
	{
		what: 'a campaign counts a message that it does not have',
		plant: (accountId) => db`
			update campaigns set total_count = total_count + 1, sent_count = sent_count + 1 where account_id = ${accountId}`,
		rule: 'a campaign counts its messages',
	},
	{
		what: 'a message has another status than its block counts',
		plant: (accountId) => db`update campaign_messages set status = 'sent' where account_id = ${accountId} and seq = 2`,
		rule: 'a block counts its messages',
	},
	{
		what: 'a message was claimed and its claim is gone',
		plant: (accountId) => db`update campaigns set claimed_through = 1 where account_id = ${accountId}`,
		rule: 'a pending message is in the queue, in flight, or waits',
	},
]

for (const { what, plant, rule } of PLANTED) {
	test(`reconcileMoney returns a finding when ${what}, except in a scope without changes or turns`, async () => {
		const { accountId } = await campaignOf()
		const own = (findings: Awaited<ReturnType<typeof reconcileMoney>>) =>
			findings.filter((finding) => finding.accountId === accountId)
		assert.deepEqual(own(await reconcileMoney(db)), [])
		await plant(accountId)
		assert.ok(rulesOf(own(await reconcileMoney(db))).includes(rule))
		await db`update campaigns set finished_at = now() where account_id = ${accountId}`
		const found = own(await reconcileMoney(db, { scope: NOTHING }))
		// The balance is compared at every run, since that is cheap.
		assert.ok(found.every((finding) => finding.rule === 'the wallet has what its last entry says'))
	})
}

test('reconcileMoney reads an unchanged campaign and ledger in exactly one hour of the week', async () => {
	const { accountId, id } = await campaignOf()
	await db`update campaign_messages set status = 'sent' where account_id = ${accountId} and seq = 1`
	await db`update campaigns set finished_at = now() where account_id = ${accountId}`
	await db`update statement_lines set message_count = 9 where account_id = ${accountId} and kind = 'hold'`
	const hoursOf = new Map<string, number[]>()
	for (let turn = 0; turn < HOURS_OF_WEEK; turn++) {
		const findings = await reconcileMoney(db, { scope: { ...NOTHING, turns: [turn] } })
		for (const { rule } of findings.filter((finding) => finding.accountId === accountId))
			hoursOf.set(rule, [...(hoursOf.get(rule) ?? []), turn])
	}
	assert.deepEqual(hoursOf.get('a block counts its messages'), [id % HOURS_OF_WEEK])
	assert.deepEqual(hoursOf.get('the statement says what the ledger says'), [Number(accountId) % HOURS_OF_WEEK])
})

test('reconcileMoney finds one wrong entry among 60,000 and nothing else', async () => {
	const accountId = await rechargedAccount()
	const earlier = await reconcileMoney(db)
	// Three holds, each with 20,000 captures of one paisa: three statement parts.
	for (const part of [1, 2, 3]) {
		await post(db, accountId, {
			kind: 'hold',
			reference: `hold:${part}`,
			paise: 20_000,
			campaignId: part,
			messageCount: 20_000,
		})
		await db`
			with entry as (
				insert into ledger_entries (
					account_id, kind, reference, available_change_paise, held_change_paise,
					available_after_paise, held_after_paise, campaign_id, message_count
				)
				select ${accountId}::bigint, 'capture', 'capture:' || ${part}::int || ':' || n, 0, -1,
					w.available_paise, 20000 - n, ${part}::int, 1
				from generate_series(1, 20000) n, wallets w where w.account_id = ${accountId}
				order by n
				returning id
			)
			insert into statement_lines (
				account_id, id, part, kind, campaign_id, day, available_change_paise, held_change_paise,
				available_after_paise, held_after_paise, message_count
			)
			select ${accountId}::bigint, min(id), w.statement_part, 'capture', ${part}::int, current_date, 0, -20000,
				w.available_paise, 19999, 20000
			from entry, wallets w where w.account_id = ${accountId}
			group by w.statement_part, w.available_paise
		`
		await db`update wallets set held_paise = 0 where account_id = ${accountId}`
	}
	assert.deepEqual(await reconcileMoney(db), earlier)
	await db`update ledger_entries set message_count = 2 where account_id = ${accountId} and reference = 'capture:2:9999'`
	const found = (await reconcileMoney(db)).filter((finding) => finding.accountId === accountId)
	assert.deepEqual(
		found.map(({ detail }) => detail),
		['capture of campaign 2 in part 3: ledger 0 and -20000 for 20001, statement 0 and -20000 for 20000'],
	)
})

test('reconcileMoneyHourly stores an unreadable account as a finding, and at most a hundred findings of each kind', async () => {
	const { accountId, id } = await campaignOf()
	await db`
		insert into campaign_blocks (account_id, campaign_id, block)
		select ${accountId}::bigint, ${id}::bigint, n from generate_series(1, 2000) n`
	await db`update campaigns set total_count = 2000000, updated_at = now() where account_id = ${accountId}`
	await db`delete from money_audits`
	await reconcileMoneyHourly({ db, log: createLog('silent') })
	const [bounded] = await db<
		{ count: number }[]
	>`select finding_count as count from money_audits order by id desc limit 1`
	assert.ok(bounded && bounded.count >= 100 && bounded.count < 300, String(bounded?.count))

	await db`delete from money_audits`
	await db`alter table statement_lines rename to away`
	await reconcileMoneyHourly({ db, log: createLog('silent') })
	await db`alter table away rename to statement_lines`
	const [row] = await db<{ rules: string[] }[]>`
		select array(select distinct f ->> 'rule' from jsonb_array_elements(findings) f) as rules
		from money_audits order by id desc limit 1`
	assert.ok(row?.rules.includes('the reconciliation reads everything'))
})
