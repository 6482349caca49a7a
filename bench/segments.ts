import { problem } from '#features/audiences/problems.ts'
import type { Rule, SegmentRules } from '#features/audiences/segment-contract.ts'
import { countSegment } from '#features/audiences/server/segments/segment-count-queries.ts'
import { createSegment, readRules } from '#features/audiences/server/segments/segments.ts'
import { createCampaign } from '#features/campaigns/server/service.ts'
import type { FieldType } from '#features/contacts/custom-fields.ts'
import { CHUNK_ROWS } from '#features/contacts/rules.ts'
import type { Field } from '#features/contacts/server/fields/field-queries.ts'
import { createField, ensureTags } from '#features/contacts/server/fields/fields.ts'
import { createGroup } from '#features/contacts/server/groups/groups.ts'
import { addMany } from '#features/contacts/server/import/import.ts'
import { analyzeMessages } from '#features/delivery/server/months/months.ts'
import { openWallet } from '#features/wallet/server/ledger.ts'
import { postRecharge } from '#features/wallet/server/service.ts'
import { DAY_MS } from '#lib/durations.ts'
import { formatCount } from '#lib/numbers.ts'
import { type AccountId, transaction, type Sql } from '#lib/server/db.ts'
import { scan } from '#lib/server/db/scan-plans.ts'
import { createTestDatabase } from '#test/database.ts'
import { template } from '#test/factories.ts'
import { campaignForm } from '#test/full-stack.ts'
import { startTestPostgres } from '#test/servers/postgres-server.ts'
import { median, p95, rate } from './scenes/campaigns-data.ts'
import { openAccount, sampleContact } from './scenes/contacts-data.ts'

/**
 * Measures the import of a million contacts with 5 tags and 10 fields each, alternately with as many contacts without
 * them. Then measures counts by ten kinds of rules, and campaigns, created alternately to a segment and to a group of
 * the same size, and to all contacts with and without a control group. PostgreSQL has the product's settings. The
 * duration of a plain join of a million numbers with half a million makes counts of different machines comparable.
 * BENCH_ROWS sets a smaller number.
 */
const ROWS = Number(process.env.BENCH_ROWS ?? 1_000_000)
const COUNTS = Number(process.env.BENCH_COUNTS ?? 20)
const TURNS = 4
type NewAudience = Pick<
	Parameters<typeof campaignForm>[1] & object,
	'audienceType' | 'selectedGroup' | 'segmentId' | 'holdOutPercent'
>
const CITIES = ['Pune', 'Mumbai', 'Delhi', 'Chennai', 'Kolkata', 'Nashik', 'Surat', 'Jaipur', 'Indore', 'Patna']
const TYPES: FieldType[] = ['text', 'number', 'date', 'yesno', 'text', 'number', 'text', 'date', 'number', 'text']

const server = process.env.TEST_DATABASE_URL ? null : await startTestPostgres({ durable: true })
if (server) process.env.TEST_DATABASE_URL = server.url
const database = await createTestDatabase()
const { sql } = database
const context = { db: sql, env: { ACCOUNT_CONTACTS: 10_000_000 } }
const tagged = await openAccount(sql)
const plain = await openAccount(sql)

const fields: Field[] = []
await openWallet(sql, tagged.accountId)
await sql`insert into prices (account_id, marketing_paise, utility_paise) values (${tagged.accountId}, 100, 100)`
for (const [at, type] of TYPES.entries())
	fields.push(await createField(sql, tagged.accountId, { name: `Field ${at}`, type }))
const tags = Array.from({ length: 185 }, (_, at) => `Tag ${at}`)
const tagIds = await ensureTags(sql, tagged.accountId, { names: tags })
const group = await createGroup(sql, tagged.accountId, { name: 'Half', type: 'national', description: null })

let campaigns = 0

const bare = await importRows(plain.accountId, false)
const whole = await importRows(tagged.accountId, true)
await sql`vacuum analyze contacts`
await sql`vacuum analyze contact_values`
console.log(`import without values     ${rate(ROWS, bare)} contacts/s`)
console.log(`import with all of them   ${rate(ROWS, whole)} contacts/s (${(bare / whole).toFixed(2)} of that)`)
for (const { name, size } of await sql<{ name: string; size: string }[]>`
	select c.relname as name, pg_size_pretty(pg_relation_size(c.oid)) as size from pg_class c
	where c.relname like 'contact\_values%' or c.relname = 'contacts' order by c.relname
`)
	console.log(`size of ${name.padEnd(21)} ${size}`)

const TO_GROUP = { audienceType: 'group', selectedGroup: String(group.id) } as const
const sent = await campaign(TO_GROUP)
console.log(`first campaign            ${sent.seconds.toFixed(1)} s, ${formatCount(sent.total)} messages`)
await sql`
	update campaign_messages set status = case when seq % 3 = 0 then 'read'::message_status when seq % 3 = 1 then 'delivered' else 'sent' end,
		status_at = (now() at time zone 'UTC' - seq % 60 * interval '1 day') at time zone 'UTC'
	where account_id = ${tagged.accountId}
`
await sql`
	insert into campaign_replies (account_id, campaign_id, seq, replied_at)
	select account_id, campaign_id, seq, status_at from campaign_messages where account_id = ${tagged.accountId} and seq % 10 = 0
`
await sql`
	insert into campaign_clicks (account_id, campaign_id, seq, click_id, button, is_first, clicked_at)
	select account_id, campaign_id, seq, seq::text, 0, true, status_at from campaign_messages where account_id = ${tagged.accountId} and seq % 7 = 0
`
await sql`vacuum analyze campaign_messages`
// The product analyses this table in addition to autovacuum.
await analyzeMessages(sql)

const field = (at: number, operator: Extract<Rule, { kind: 'field' }>['operator'], value: string): Rule => ({
	kind: 'field',
	field: String(fields[at]?.id),
	operator,
	value,
})
const tag = (at: number, is = true): Rule => ({ kind: 'tag', is, tag: String(tagIds.get(`tag ${at}`)) })
const KINDS: Record<string, Rule[]> = {
	'tag is': [tag(1)],
	'tag is not': [tag(1, false)],
	'text is': [field(0, 'is', 'Pune')],
	'number at least': [field(1, 'atLeast', '50000')],
	'date at most': [field(2, 'atMost', '2023-01-01')],
	'yes or no': [field(3, 'is', 'yes')],
	group: [{ kind: 'group', is: true, group: String(group.id) }],
	'added since': [{ kind: 'added', is: true, days: 30 }],
	country: [{ kind: 'country', is: true, code: '91' }],
	'opted out': [{ kind: 'optedOut', is: false }],
	'three of values': [tag(1), field(0, 'isNot', 'Pune'), field(1, 'atMost', '70000')],
	'values and contact': [tag(1), { kind: 'country', is: true, code: '91' }],
	'never written to': [{ kind: 'neverWritten', is: true }],
	'read in 30 days': [{ kind: 'read', is: true, days: 30 }],
	'not read in 30 days': [{ kind: 'read', is: false, days: 30 }],
	replied: [{ kind: 'replied', is: true }],
	'clicked in 30 days': [{ kind: 'clicked', is: true, days: 30 }],
	'did not click': [{ kind: 'didNotClick', campaign: String(sent.id) }],
}
const joined = await timeCounts(async (inside) => {
	const [row] = await inside<{ rows: number }[]>`
		select count(*) as rows from contacts a join contacts b on b.account_id = ${plain.accountId} and b.number = a.number
		where a.account_id = ${tagged.accountId} and a.group_id = ${group.id}
	`
	return row?.rows ?? 0
})
console.log(`joining numbers           p95 ${joined.p95.toFixed(0)} ms, ${formatCount(joined.contacts)}`)
for (const [name, rules] of Object.entries(KINDS)) {
	const counted = await timeCounts(async (inside) =>
		countSegment(inside, tagged.accountId, await readRules(inside, tagged.accountId, { match: 'all', rules })),
	)
	console.log(
		`count ${name.padEnd(20)} p95 ${counted.p95.toFixed(0)} ms, ${formatCount(counted.contacts)} (wanted: at most 300)`,
	)
}

// The segment has as many contacts as the group: half of all.
const half: SegmentRules = { match: 'all', rules: [field(3, 'is', 'yes')] }
const segment = await createSegment(sql, tagged.accountId, { name: 'Half', ...half })
await compare('to a segment and to a group', 1.5, [
	{ audienceType: 'segment', segmentId: String(segment.id) },
	TO_GROUP,
])
const TO_ALL = { audienceType: 'all' } as const
await compare('keeping out a tenth and nobody', 2, [{ ...TO_ALL, holdOutPercent: 10 }, TO_ALL])
await database.drop()
await server?.stop()

async function timeCounts(count: (sql: Sql) => Promise<number>): Promise<{ contacts: number; p95: number }> {
	const waitedFor = {
		signal: new AbortController().signal,
		timeoutMs: 20_000,
		tooLong: () => problem('segment_too_slow'),
	}
	const times: number[] = []
	let contacts = 0
	for (let call = 0; call < COUNTS; call++) {
		const began = performance.now()
		contacts = await scan(sql, count, waitedFor)
		times.push(performance.now() - began)
	}
	return { contacts, p95: p95(times) }
}

/** Creates campaigns to two audiences alternately, because each finds more messages of earlier ones in the tables' indexes. */
async function compare(title: string, wanted: number, audiences: readonly [NewAudience, NewAudience]): Promise<void> {
	const ratios: number[] = []
	for (let turn = 0; turn < TURNS; turn++) {
		const [first, second] = turn % 2 === 0 ? audiences : audiences.toReversed()
		const times = [(await campaign(first)).seconds, (await campaign(second)).seconds]
		const [one = 0, other = 0] = turn % 2 === 0 ? times : times.toReversed()
		ratios.push(one / other)
		console.log(`${title.padEnd(31)} ${one.toFixed(1)} and ${other.toFixed(1)} s`)
	}
	console.log(`ratio ${title.padEnd(25)} ${median(ratios).toFixed(2)} (wanted: at most ${wanted})`)
}

/** Imports the rows in chunks, as the upload does. Returns the seconds. */
async function importRows(accountId: AccountId, isWhole: boolean): Promise<number> {
	const began = performance.now()
	for (let from = 0; from < ROWS; from += CHUNK_ROWS) {
		const count = Math.min(CHUNK_ROWS, ROWS - from)
		for (const isInGroup of isWhole ? [true, false] : [false]) {
			const all = Array.from({ length: count }, (_, at) => from + at)
			const mine = isWhole ? all.filter((at) => (at % 2 === 0) === isInGroup) : all
			const rows = mine.map((at) => ({ ...sampleContact(at), ...(isWhole && ownOf(at)) }))
			const given = {
				fields: isWhole ? fields.map(({ id }) => String(id)) : [],
				tags: [],
				consent: null,
				update: false,
			}
			await addMany(context, accountId, { ...given, rows, group: isInGroup ? String(group.id) : null })
		}
	}
	return (performance.now() - began) / 1000
}

function ownOf(at: number) {
	const day = (from: number, days: number) => new Date(from + (at % days) * DAY_MS).toISOString().slice(0, 10)
	return {
		tags: [1 + (at % 5), 6 + (at % 10), 16 + (at % 20), 36 + (at % 50), 86 + (at % 99)].map((tagAt) => `Tag ${tagAt}`),
		values: [
			CITIES[at % CITIES.length] ?? '',
			String(at % 100_000),
			day(Date.UTC(2020, 0, 1), 2000),
			at % 2 === 0 ? 'yes' : 'no',
			`Sector ${at % 1000}`,
			String(at % 100),
			`order-${at}`,
			day(Date.UTC(1970, 0, 1), 15_000),
			((at % 7919) / 100).toFixed(2),
			'Gold',
		],
	}
}

async function campaign(audience: NewAudience) {
	await transaction(sql, (inside) =>
		postRecharge(inside, tagged.accountId, { reference: `bench:${++campaigns}`, amountPaise: ROWS * 200 }),
	)
	const { templateId } = await template(sql, tagged.accountId, { category: 'UTILITY' })
	const began = performance.now()
	const id = await createCampaign(context, tagged.accountId, campaignForm(templateId, audience))
	const seconds = (performance.now() - began) / 1000
	const [row] = await sql<{ total: number }[]>`
		select total_count as total from campaigns where account_id = ${tagged.accountId} and id = ${id}
	`
	return { id, seconds, total: row?.total ?? 0 }
}
