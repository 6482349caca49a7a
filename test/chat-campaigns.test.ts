import assert from 'node:assert/strict'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { listSpending } from '#features/statements/server/queries.ts'
import { openWallet, type Posting } from '#features/wallet/server/ledger.ts'
import { indianDay } from '#lib/dates.ts'
import type { AccountId } from '#lib/server/db.ts'
import { migrate } from '#lib/server/db/schema/migrate.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { bareAccount } from './factories.ts'
import { moneyFindings } from './full-stack.ts'
import { postBeforeParts } from './scenes/old-ledger.ts'

const SCHEMA = new URL('../db/', import.meta.url)
const PRICE_PAISE = 100

let database: TestDatabase
before(async () => {
	database = await createTestDatabase('template0')
	await migrateBefore('_chat_campaigns.sql')
})
after(() => database.drop())

/** Migrates the empty database up to the last migration before this one. */
async function migrateBefore(ending: string): Promise<void> {
	const { directUrl } = database
	const folder = await mkdtemp(join(tmpdir(), 'migrations-'))
	const files = await readdir(new URL('migrations/', SCHEMA))
	const end = files.find((file) => file.endsWith(ending)) ?? ''
	assert.notEqual(end, '')
	await cp(SCHEMA, folder, { recursive: true, filter: (path) => !/\/\d\d\d\d_/.test(path) || basename(path) < end })
	await migrate(directUrl, { folder: pathToFileURL(`${folder}/`) })
	await rm(folder, { recursive: true })
}

interface OldMessage {
	status: string
	pricePaise?: number
	errorCode?: number
	error?: string
	/** Kinds of the message's ledger entries, in order. */
	ledger: Posting['kind'][]
}

/** Every way in which the money of a chat template could end, by the name of its chat. */
const MESSAGES: Record<string, OldMessage> = {
	pending: { status: 'pending', ledger: ['hold'] },
	delivered: { status: 'delivered', ledger: ['hold', 'capture'] },
	refused: { status: 'failed', errorCode: 0, error: 'The access token …', ledger: ['hold', 'release'] },
	unknown: {
		status: 'failed',
		errorCode: 987_654,
		error: 'WhatsApp did not accept this message: New reason',
		ledger: ['hold', 'release'],
	},
	refunded: { status: 'failed', errorCode: 131026, error: 'Gone', ledger: ['hold', 'capture', 'refund'] },
	late: { status: 'read', ledger: ['hold', 'release', 'hold', 'capture'] },
	waived: { status: 'read', pricePaise: 0, ledger: ['hold', 'release'] },
	kept1: { status: 'failed', errorCode: 131026, error: 'Gone', ledger: ['hold', 'capture'] },
	kept2: { status: 'failed', errorCode: 131026, error: 'Gone', ledger: ['hold', 'capture'] },
	kept3: { status: 'failed', errorCode: 131026, error: 'Gone', ledger: ['hold', 'capture'] },
	kept4: { status: 'failed', errorCode: 131026, error: 'Gone', ledger: ['hold', 'capture'] },
	free: { status: 'sent', pricePaise: 0, ledger: [] },
}

async function writeMessage(accountId: AccountId, chat: string, message: OldMessage): Promise<void> {
	const { sql } = database
	const { status, errorCode = null, error = null, pricePaise = PRICE_PAISE } = message
	const body = JSON.stringify({ text: 'Hello', components: [{ type: 'BODY', text: 'Hello' }], category: 'MARKETING' })
	const [row] = await sql<{ id: number }[]>`
		insert into chat_messages (
			account_id, chat, direction, kind, body, status, error_code, error, wamid, at, sent_at, status_at, claimed_at, price_paise
		)
		values (
			${accountId}, ${chat}, 'out', 'template', ${body}, ${status}, ${errorCode}, ${error}, ${`wamid.${chat}`}, now(), now(), now(),
			now(), ${pricePaise}
		)
		returning id
	`
	for (const [step, kind] of message.ledger.entries()) {
		const reference = step === 0 ? `hold:chat:${row?.id}` : `${kind}:chat:${row?.id}:${step}`
		await postBeforeParts(sql, accountId, { kind, reference, paise: PRICE_PAISE, messageCount: 1 })
	}
}

test('the migration turns templates sent by chats into campaigns of one message with their money, and reconciliation finds nothing', async () => {
	const { sql } = database
	const accountId = await bareAccount(sql)
	await openWallet(sql, accountId)
	await postBeforeParts(sql, accountId, { kind: 'recharge', reference: 'r', paise: 2000 })
	const [entry] = await sql<{ id: number }[]>`select id from ledger_entries`
	await sql`insert into receipts (account_id, entry_id, number, payer_name, payer_email) values (${accountId}, ${entry?.id}, 1, 'A', 'a@b.c')`
	await sql`insert into receipt_counters values ('recharge', 1) on conflict (series) do update set last_number = 1`
	for (const [chat, message] of Object.entries(MESSAGES)) await writeMessage(accountId, chat, message)
	await sql`
		insert into chat_messages (account_id, chat, direction, kind, body, status, at, wamid)
		values (${accountId}, 'delivered', 'out', 'text', '{"text":"Hi"}', 'read', now(), 'wamid.text')
	`
	// One of the four refunds to be approved waits, one was refused, and two were approved together.
	await sql`
		insert into waiting_refunds (account_id, campaign_id, price_paise, reason, waiting_count, approved_count, refused_count)
		values (${accountId}, 0, ${PRICE_PAISE}, 'reported', 1, 2, 1)
	`
	const approved = 'refund:waiting:0:100:reported:0'
	await postBeforeParts(sql, accountId, {
		kind: 'refund',
		reference: approved,
		paise: 2 * PRICE_PAISE,
		messageCount: 2,
	})
	const [wallet] = await sql`select available_paise, held_paise from wallets`

	await migrate(database.directUrl)

	assert.deepEqual(await moneyFindings(sql), [])
	const [after_] = await sql`select available_paise, held_paise from wallets`
	assert.deepEqual(after_, wallet)
	const rows = await sql`
		select m.chat, c.kind, c.status as campaign, c.price_paise, o.number, o.status, o.error_code, o.error, o.wamid
		from chat_messages m
		join campaigns c on c.account_id = m.account_id and c.id = m.campaign_id
		join campaign_messages o on o.account_id = m.account_id and o.campaign_id = m.campaign_id and o.seq = 1
		where m.account_id = ${accountId} and m.status is null and m.wamid is null
	`
	assert.equal(rows.length, Object.keys(MESSAGES).length)
	for (const { chat, kind, number, status, wamid } of rows)
		assert.deepEqual(
			[kind, number, status, wamid],
			['chat', chat, MESSAGES[String(chat)]?.status, `wamid.${String(chat)}`],
		)
	const failed = rows.find(({ chat }) => chat === 'unknown')
	assert.deepEqual([failed?.error_code, failed?.error], [987_654, 'New reason'])
	assert.equal(rows.find(({ chat }) => chat === 'refused')?.error_code, -4, 'the stored error text remains')
	const unsettled = await sql`select 1 from unsettled_messages where unknown_since is not null`
	assert.deepEqual([rows.filter(({ campaign }) => campaign === 'processing').length, unsettled.length], [1, 1])
	const [text] = await sql`select status, wamid, campaign_id from chat_messages where kind = 'text'`
	assert.deepEqual({ ...text }, { status: 'read', wamid: 'wamid.text', campaign_id: null })
	const month = indianDay(Date.now()).slice(0, 7)
	const spent = (await listSpending(sql, accountId, month)).reduce((sum, { paise }) => sum + paise, 0)
	// The delivered message, the late one, and the two whose refund is missing are charged.
	assert.equal(spent, 4 * PRICE_PAISE)
	const [left] =
		await sql`select count(*) as entries from ledger_entries where campaign_id is null and kind <> 'recharge'`
	assert.equal(left?.entries, 5, 'the refund of two messages at once, and the entries that it refunded')
})
