import { INDIAN_TIME_ZONE } from '#lib/dates.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { INDIAN_TODAY } from '#lib/server/db/indian-today.ts'
import { verbatim } from '#lib/server/statement.ts'
import { monthOf, nameOf, type Month } from './month.ts'

/**
 * Tables with rows per campaign. They are partitioned by ranges of campaign ids; the value is the storage clause of each
 * partition.
 */
const TABLES = {
	// The reasons are in db/migrations/0044_autovacuum.sql.
	campaign_messages: 'fillfactor = 38, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02',
	campaign_replies: 'fillfactor = 90',
	campaign_clicks: 'fillfactor = 100',
	message_references: 'fillfactor = 100',
	campaign_held_out: 'fillfactor = 100',
	campaign_blocks: 'fillfactor = 50',
	campaign_minutes: 'fillfactor = 50',
}

/** Days from the notice that an unfinished campaign will end with its month to that end. */
export const NOTICE_DAYS = 7

interface Months {
	/** Months since the year 0: today's, the month NOTICE_DAYS later, and the month of the migration to partitions. */
	today: number
	soon: number
	migrated: number
	/** The highest campaign id. */
	lastId: number
}

/** Returns the months in India by the database's clock. */
export async function getMonthAllAccounts(sql: Sql): Promise<Months> {
	const monthOfDate = (date: ReturnType<Sql>) =>
		sql`extract(year from ${date})::int * 12 + extract(month from ${date})::int - 1`
	const migratedAt = sql`(
		select applied_at at time zone ${verbatim(`'${INDIAN_TIME_ZONE}'`)} from schema_migrations
		where file like '%_messages_by_month.sql'
	)`
	const [row] = await sql<Months[]>`
		select ${monthOfDate(sql`${INDIAN_TODAY}`)} as today, ${monthOfDate(sql`(${INDIAN_TODAY} + ${NOTICE_DAYS}::int)`)} as soon,
			${monthOfDate(migratedAt)} as migrated, last_value as "lastId"
		from campaigns_id_seq
	`
	if (!row) throw new Error('campaigns_id_seq is gone')
	return row
}

/**
 * Milliseconds that a change of partitions waits for its lock, while statements on the messages wait behind it. The change is
 * tried again minutes later.
 */
const LOCK_TIMEOUT_MS = 500

/**
 * Locks the partitions against other changes until the transaction ends, and limits its waits for locks to
 * LOCK_TIMEOUT_MS.
 */
export async function lockMonthsAllAccounts(sql: Sql): Promise<void> {
	await sql.unsafe(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`)
	await sql`select pg_advisory_xact_lock(hashtext('campaign months'))`
}

/** Creates the missing partitions of a month. Attaching them takes no lock that would stop sending. */
export async function createPartitionsAllAccounts(sql: Sql, { month, firstId, endId }: Month): Promise<void> {
	const partitions = await listPartitionsAllAccounts(sql)
	const attached = new Set(partitions.flatMap(({ name, state }) => (state === 'attached' ? [name] : [])))
	for (const [table, settings] of Object.entries(TABLES)) {
		const name = `${table}_${nameOf(month)}`
		if (attached.has(name)) continue
		await sql.unsafe(`create table if not exists ${name} (like ${table} including all) with (${settings})`)
		await sql.unsafe(`alter table ${table} attach partition ${name} for values from (${firstId}) to (${endId})`)
	}
}

/** Moves the sequence so that the next campaign gets this id. Does nothing when the sequence is beyond the id. */
export async function moveIdsAllAccounts(sql: Sql, firstId: number): Promise<void> {
	await sql`select setval('campaigns_id_seq', ${firstId}, false) from campaigns_id_seq where last_value < ${firstId}`
}

/** Gathers statistics of the partitioned tables, which autovacuum gathers of partitions alone. Skips locked tables. */
export async function analyzeAllAccounts(sql: Sql): Promise<void> {
	for (const table of Object.keys(TABLES)) await sql.unsafe(`analyze (skip_locked) ${table}`)
}

export interface Partition {
	table: string
	name: string
	month: number
	/** `detaching` and `detached` are the states of an interrupted removal. */
	state: 'attached' | 'detaching' | 'detached'
}

export async function listPartitionsAllAccounts(sql: Sql): Promise<Partition[]> {
	const rows = await sql<Omit<Partition, 'month'>[]>`
		select p.table, c.relname as name,
			case when i.inhrelid is null then 'detached' when i.inhdetachpending then 'detaching' else 'attached' end as state
		from pg_class c
		join unnest(${Object.keys(TABLES)}::text[]) as p ("table") on p.table = substring(c.relname from '^(.*)_(?:first|\\d{4}_\\d\\d)$')
		left join pg_inherits i on i.inhrelid = c.oid
		where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
		order by 1, 2
	`
	return rows.map((row) => ({ ...row, month: monthOf(row.name) }))
}

/** Detaches a partition without making other statements wait. Call it outside a transaction, and not on Citus. */
export async function detachPartitionAllAccounts(sql: Sql, { table, name, state }: Partition): Promise<void> {
	if (state === 'detached') return
	await sql.unsafe(
		`alter table ${table} detach partition ${name} ${state === 'detaching' ? 'finalize' : 'concurrently'}`,
	)
}

/** Drops partitions with their rows. Statements on the table of a partition that is still attached wait. */
export async function dropPartitionsAllAccounts(sql: Sql, partitions: readonly Partition[]): Promise<void> {
	for (const { name } of partitions) await sql.unsafe(`drop table ${name}`)
}

/**
 * Returns the next `limit` campaigns of a month that still have their messages. `isFinal` is set if a campaign has
 * ended without pending messages.
 */
export async function listUnfinalized(
	sql: Sql,
	accountId: AccountId,
	{ firstId, endId, limit }: Pick<Month, 'firstId' | 'endId'> & { limit: number },
): Promise<{ id: number; isFinal: boolean }[]> {
	return sql<{ id: number; isFinal: boolean }[]>`
		select id, finished_at is not null and pending_count = 0 as "isFinal" from campaigns
		where account_id = ${accountId} and id >= ${firstId} and id < ${endId} and messages_removed_at is null
		order by id
		limit ${limit}
	`
}

/**
 * Erases the texts of up to `limit` finalized campaigns, and keeps what the ledger refers to. The digest is erased too:
 * for a campaign to one recipient, trying all numbers would reveal the number. Returns the number of campaigns.
 */
export async function eraseFinalized(sql: Sql, accountId: AccountId, limit: number): Promise<number> {
	const { count } = await sql`
		update campaigns
		set name = 'Erased', description = null, status_reason = null, header_file = null, card_files = null, variables = '{}', merge_tags = '{}',
			audience_name = null, media_id = null, card_media_ids = null, media_phone_number_id = null, request_id = null, messages_digest = null,
			template = template || '{"name": "Erased", "components": []}'
		where account_id = ${accountId} and messages_digest is not null and id in (
			select id from campaigns where account_id = ${accountId} and messages_digest is not null limit ${limit}
		)
	`
	return count
}

/** Messages per partial digest, so that no text is longer than some hundred kilobytes. */
const DIGEST_ROWS = 5000

/**
 * Finalizes a campaign: records that its messages are removed, with their digest. The digest is SHA-256 over the digests of
 * each 5,000 messages, one line per message (number within the campaign, recipient, status, error code, wamid). Returns false
 * and records nothing if the messages per status differ from the campaign's counters.
 */
export async function finalizeCampaign(sql: Sql, accountId: AccountId, campaignId: number): Promise<boolean> {
	const rows = await sql`
		with parts as (
			select (seq - 1) / ${DIGEST_ROWS}::int as part, count(*) filter (where status = 'sent') as sent,
				count(*) filter (where status = 'delivered') as delivered, count(*) filter (where status = 'read') as read,
				count(*) filter (where status = 'failed') as failed, count(*) as messages,
				sha256(convert_to(
					string_agg(concat_ws(' ', seq, number, status, coalesce(error_code::text, '-'), coalesce(wamid, '-')), E'\n' order by seq),
					'UTF8'
				)) as digest
			from campaign_messages
			where account_id = ${accountId} and campaign_id = ${campaignId}
			group by 1
		), whole as (
			select coalesce(sum(sent), 0) as sent, coalesce(sum(delivered), 0) as delivered, coalesce(sum(read), 0) as read,
				coalesce(sum(failed), 0) as failed, coalesce(sum(messages), 0) as messages,
				encode(sha256(coalesce(string_agg(digest, '' order by part), '')), 'hex') as digest
			from parts
		)
		update campaigns c set messages_removed_at = now(), messages_digest = w.digest
		from whole w
		where c.account_id = ${accountId} and c.id = ${campaignId} and c.total_count = w.messages and c.sent_count = w.sent
			and c.delivered_count = w.delivered and c.read_count = w.read and c.failed_count = w.failed
		returning 1
	`
	return rows.length > 0
}
