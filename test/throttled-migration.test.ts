import assert from 'node:assert/strict'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { getWallet, openWallet } from '#features/wallet/server/ledger.ts'
import { takeReceiptNumberAllAccounts } from '#features/wallet/server/receipts/receipt-queries.ts'
import type { AccountId } from '#lib/server/db.ts'
import { migrate } from '#lib/server/db/schema/migrate.ts'
import { launchTestDatabase } from './database.ts'
import { bareAccount } from './factories.ts'
import { moneyFindings } from './full-stack.ts'
import { postBeforeParts } from './scenes/old-ledger.ts'

const MIGRATION = /^\d+_follow_ups\.sql$/
const PRICE_PAISE = 100

const database = await launchTestDatabase('template0')
const files = new URL('../db/', import.meta.url)
const names = await readdir(new URL('migrations/', files))
const first = names.find((name) => MIGRATION.test(name)) ?? assert.fail('the migration is there')
const folder = await mkdtemp(join(tmpdir(), 'migrations-'))
await cp(files, folder, { recursive: true, filter: (path) => basename(path) < first || !/\d_/.test(path) })
await migrate(database.directUrl, { folder: pathToFileURL(`${folder}/`) })
await rm(folder, { recursive: true })

/** State of a message before the migration. */
type Before = 'delivered' | 'refused' | 'unclaimed' | 'in flight' | { waitsHours: number; times: number }

async function newAccount(): Promise<AccountId> {
	const { sql } = database
	const accountId = await bareAccount(sql)
	await sql`
		insert into users (account_id, name, email, role, password_hash)
		values (${accountId}, 'Asha', ${`asha${accountId}@example.com`}, 'user', '')
	`
	await openWallet(sql, accountId)
	await postBeforeParts(sql, accountId, { kind: 'recharge', reference: 'test', paise: 1000 })
	const number = await takeReceiptNumberAllAccounts(sql)
	await sql`
		insert into receipts (account_id, entry_id, number, payer_name, payer_email)
		select account_id, id, ${number}::bigint, 'Asha', 'asha@example.com' from ledger_entries where account_id = ${accountId}
	`
	return accountId
}

/** Writes a campaign as the previous release left it: waiting messages are pending and their price is on hold. */
async function campaign(
	accountId: AccountId,
	status: string,
	messages: readonly Before[],
	pricePaise = PRICE_PAISE,
): Promise<number> {
	const { sql } = database
	const delivered = messages.filter((message) => message === 'delivered').length
	const unclaimed = messages.filter((message) => message === 'unclaimed').length
	const refused = messages.filter((message) => message === 'refused').length
	const pending = messages.length - delivered - refused
	const [row] = await sql<{ id: number }[]>`
		insert into campaigns (
			account_id, name, status, template, audience_type, price_paise, retry_held_back, started_at,
			total_count, pending_count, delivered_count, failed_count, claimed_through
		) values (
			${accountId}, 'Sale', ${status}, '{}', 'all', ${pricePaise}, true, now(),
			${messages.length}, ${pending}, ${delivered}, ${refused}, ${messages.length - unclaimed}
		) returning id
	`
	const campaignId = row?.id ?? assert.fail()
	await sql`
		insert into campaign_blocks (account_id, campaign_id, block, pending, delivered, failed)
		values (${accountId}, ${campaignId}, 0, ${pending}, ${delivered}, ${refused})
	`
	for (const [index, message] of messages.entries()) {
		const seq = index + 1
		const waits = typeof message === 'object' ? message : null
		await sql`
			insert into campaign_messages (account_id, campaign_id, seq, number, status, held_back_count)
			values (
				${accountId}, ${campaignId}, ${seq}, ${`91987654321${index}`},
				${message === 'delivered' ? 'delivered' : message === 'refused' ? 'failed' : 'pending'}, ${waits?.times ?? (message === 'in flight' ? 1 : null)}
			)
		`
		if (waits) {
			await sql`
				insert into unsettled_messages (account_id, campaign_id, seq, retry_at)
				values (${accountId}, ${campaignId}, ${seq}, now() + ${waits.waitsHours} * interval '1 hour')
			`
		}
		if (message === 'in flight') {
			await sql`
				insert into message_claims (account_id, lease_epoch, batch, campaign_id, worker, seqs)
				values (${accountId}, 1, ${campaignId}, ${campaignId}, 'worker', array[${seq}::int])
			`
		}
	}
	const reference = String(campaignId)
	const paise = messages.length * pricePaise
	const posting = { campaignId, messageCount: messages.length }
	if (paise > 0)
		await postBeforeParts(sql, accountId, { ...posting, kind: 'hold', reference: `hold:${reference}`, paise })
	if (paise > 0 && delivered > 0) {
		const captured = { kind: 'capture', reference: `capture:${reference}`, paise: delivered * pricePaise } as const
		await postBeforeParts(sql, accountId, { campaignId, messageCount: delivered, ...captured })
	}
	if (refused > 0) {
		const released = { kind: 'release', reference: `release:${reference}`, paise: refused * pricePaise } as const
		await postBeforeParts(sql, accountId, { campaignId, messageCount: refused, ...released })
	}
	return campaignId
}

const waiting = (waitsHours: number, times = 1) => ({ waitsHours, times })

test('the migration fails and releases messages that wait inside their campaigns, and schedules their follow-up', async () => {
	const { sql, directUrl } = database
	const accountId = await newAccount()
	const other = await newAccount()
	const ids = {
		mixed: await campaign(accountId, 'processing', ['delivered', waiting(24), waiting(5, 2)]),
		paused: await campaign(accountId, 'paused', [waiting(3)]),
		cancelled: await campaign(accountId, 'cancelled', [waiting(3)]),
		unfinished: await campaign(accountId, 'paused', [waiting(7), 'unclaimed']),
		inFlight: await campaign(accountId, 'processing', ['in flight']),
		free: await campaign(accountId, 'processing', [waiting(2)], 0),
		// The statement already has a release of this campaign.
		other: await campaign(other, 'processing', [waiting(1), waiting(1), 'refused']),
	}
	assert.deepEqual(await getWallet(sql, accountId), { availablePaise: 200, heldPaise: 700 })
	await migrate(directUrl)

	const rows = await sql<{ id: number; said: string }[]>`
		select id, concat_ws(' ', status, pending_count, failed_count, finished_at is not null,
			round(extract(epoch from follow_up_at - now()) / 3600)) as said
		from campaigns order by id
	`
	assert.deepEqual(Object.fromEntries(rows.map(({ id, said }) => [id, said])), {
		[ids.mixed]: 'completed 0 2 t 5',
		[ids.paused]: 'completed 0 1 t',
		[ids.cancelled]: 'cancelled 1 0 f',
		[ids.unfinished]: 'paused 1 1 f 7',
		[ids.inFlight]: 'processing 1 0 f',
		[ids.free]: 'completed 0 1 t 2',
		[ids.other]: 'completed 0 3 t 1',
	})
	const messages = await sql<{ id: number; said: string }[]>`
		select campaign_id as id, string_agg(concat(status, error_code), ' ' order by seq) as said
		from campaign_messages where campaign_id in (${ids.mixed}, ${ids.cancelled}) group by 1 order by 1
	`
	assert.deepEqual(
		messages.map(({ said }) => said),
		['delivered failed131049 failed131049', 'pending'],
	)
	const left = await sql<{ id: number }[]>`select campaign_id as id from unsettled_messages`
	assert.deepEqual([...left], [{ id: ids.cancelled }], 'left to the sweep of cancelled campaigns')
	assert.deepEqual(await getWallet(sql, accountId), { availablePaise: 600, heldPaise: 300 })
	assert.deepEqual(await getWallet(sql, other), { availablePaise: 1000, heldPaise: 0 })
	const [totals] = await sql<{ day: number; minute: number; reasons: number }[]>`
		select (select sum(failed) from daily_totals) as day, (select sum(failed) from campaign_minutes) as minute,
			(select sum(message_count) from campaign_failures where error_code = 131049) as reasons
	`
	assert.deepEqual({ ...totals }, { day: 7, minute: 7, reasons: 7 })
	assert.deepEqual(await moneyFindings(sql), [])
})
