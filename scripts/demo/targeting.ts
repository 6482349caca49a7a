import type { AppContext } from '#app/server/context.ts'
import { listSegments } from '#features/audiences/server/segments/segment-queries.ts'
import { createSegment } from '#features/audiences/server/segments/segments.ts'
import { receiveMessages } from '#features/chats/server/inbound/receive.ts'
import { listFields, listTags, type Field, type GivenValues } from '#features/contacts/server/fields/field-queries.ts'
import { createField } from '#features/contacts/server/fields/fields.ts'
import { writeGiven } from '#features/contacts/server/fields/values.ts'
import { recordClicks } from '#features/links/server/record-clicks.ts'
import { createCountedLinks } from '#features/templates/server/counted-links.ts'
import { indianDay } from '#lib/dates.ts'
import { MINUTE_MS } from '#lib/durations.ts'
import { transaction, type AccountId, type Sql } from '#lib/server/db.ts'
import { inbound } from './chats.ts'
import { daysBefore, WEDDING_CAMPAIGN } from './history.ts'

const FIELDS = [
	{ name: 'City', type: 'text' },
	{ name: 'Last order', type: 'date' },
	{ name: 'Order value', type: 'number' },
] as const
const CITIES = ['Pune', 'Mumbai', 'Pune', 'Nashik', 'Pune', 'Bengaluru', 'Nagpur']

/** Writes the shop's tags and custom fields: purchases, place and preferences of its customers. */
export async function createTagsAndFields({ db }: AppContext, accountId: AccountId): Promise<void> {
	if ((await listFields(db, accountId)).length === 0)
		for (const field of FIELDS) await createField(db, accountId, field)
	const fields = await listFields(db, accountId)
	const contacts = await db<
		{ number: string }[]
	>`select number from contacts where account_id = ${accountId} order by id`
	const given = new Map(contacts.map(({ number }, index) => [number, knownOf(index, fields)]))
	await transaction(db, (sql) => writeGiven(sql, accountId, { given, existing: 'amend' }))
}

/** Returns the custom fields of the contact with this index. Some contacts have bought nothing yet. */
function knownOf(index: number, fields: readonly Field[]): GivenValues {
	const hasOrdered = index % 6 !== 5
	const texts: Record<string, string> = {
		City: CITIES[(index * 5) % CITIES.length] ?? '',
		...(hasOrdered && {
			'Last order': indianDay(daysBefore(3 + ((index * 37) % 240)).getTime()),
			'Order value': String(890 + ((index * 1370) % 14_000)),
		}),
	}
	const tags = [
		...(index % 9 === 0 ? ['Silk lover'] : []),
		...(index % 14 === 0 ? ['Bride to be'] : []),
		...(index % 11 === 3 ? ['Orders by phone'] : []),
		...(index % 25 === 3 ? ['Tailoring'] : []),
	]
	return { tags, values: fields.map((field) => [field, texts[field.name] ?? ''] as const) }
}

/** Returns a template with a counted link. Stores the link's target. */
export async function weddingTemplate({ db, links }: Pick<AppContext, 'db' | 'links'>, accountId: AccountId) {
	const named = { name: 'wedding_collection', language: 'en' }
	const targets = ['https://meeratextiles.example/wedding']
	const [link] = await createCountedLinks(db, accountId, { ...named, links, targets })
	return {
		...named,
		category: 'MARKETING' as const,
		quality: 'GREEN' as const,
		components: [
			{
				type: 'BODY',
				text: 'Namaste {{1}}, our *wedding collection* is here: Banarasi, Kanjeevaram and lehengas made to measure.',
				example: { body_text: [['Asha']] },
			},
			{ type: 'FOOTER', text: 'Reply STOP to receive no more offers' },
			{
				type: 'BUTTONS',
				buttons: [{ type: 'URL', text: 'See the collection', url: link?.url, example: [link?.url_example] }],
			},
		],
	}
}

const ANSWERS = [
	'Do you have the red lehenga in size 40?',
	'Beautiful! What does the Kanjeevaram cost?',
	'Can you send pictures of the green one?',
	'We will come to the store on Saturday.',
]

interface Reader {
	campaignId: number
	seq: number
	number: string
	name: string | null
	wamid: string
	readAt: Date
}

/**
 * Writes clicks and replies: some readers of the wedding campaign followed its link, a few of them twice, and some wrote a
 * message.
 */
export async function createAnswers({ db }: AppContext, accountId: AccountId): Promise<void> {
	const readers = await listReaders(db, accountId)
	const clicks = readers
		.filter((_, index) => index % 4 === 1)
		.flatMap((reader, index) => (index % 6 === 0 ? [clickOf(reader, 1), clickOf(reader, 25)] : [clickOf(reader, 2)]))
	await recordClicks(db, accountId, clicks)
	for (const [index, text] of ANSWERS.entries()) {
		const reader = readers[40 + index * 60]
		if (!reader) throw new Error('the demo data is incomplete')
		const { number, name, wamid, readAt } = reader
		const at = new Date(readAt.getTime() + 5 * MINUTE_MS)
		const { contacts, messages } = inbound(number, { wamid: `${wamid}.answer`, at, text, name: name ?? 'Asha' })
		await transaction(db, async (sql) => {
			const quoting = messages.map((message) => ({ ...message, context: { id: wamid } }))
			await receiveMessages(sql, accountId, [{ contacts, messages: quoting }])
			await sql`update chats set unread = 0 where account_id = ${accountId} and key = ${number}`
		})
	}
}

function clickOf({ campaignId, seq, readAt }: Reader, minutesLater: number) {
	const atMs = Math.min(readAt.getTime() + minutesLater * MINUTE_MS, Date.now())
	return { id: `demo-${seq}-${minutesLater}`, campaignId, seq, button: 0, atMs }
}

async function listReaders(sql: Sql, accountId: AccountId): Promise<Reader[]> {
	return sql<Reader[]>`
		select m.campaign_id as "campaignId", m.seq, m.number, m.wamid, k.first_name as name, m.status_at as "readAt"
		from campaigns c
		join campaign_messages m on m.account_id = ${accountId} and m.campaign_id = c.id and m.status = 'read'
		join contacts k on k.account_id = ${accountId} and k.number = m.number
		where c.account_id = ${accountId} and c.name = ${WEDDING_CAMPAIGN}
		order by m.seq
	`
}

/** Creates one segment by the shop's tags and fields, and one by the contacts' behaviour. */
export async function createSegments({ db }: AppContext, accountId: AccountId): Promise<void> {
	if ((await listSegments(db, accountId)).length > 0) return
	const fields = await listFields(db, accountId)
	const tags = await listTags(db, accountId)
	const [campaign] = await db<{ id: number }[]>`
		select id from campaigns where account_id = ${accountId} and name = ${WEDDING_CAMPAIGN}
	`
	await createSegment(db, accountId, {
		name: 'Big orders in Pune',
		match: 'all',
		rules: [
			{ kind: 'field', field: idOf(fields, 'City'), operator: 'is', value: 'Pune' },
			{ kind: 'field', field: idOf(fields, 'Order value'), operator: 'atLeast', value: '8000' },
		],
	})
	await createSegment(db, accountId, {
		name: 'Interested in wedding wear',
		match: 'any',
		rules: [
			{ kind: 'tag', is: true, tag: idOf(tags, 'Bride to be') },
			{ kind: 'clicked', is: true, campaign: String(campaign?.id) },
		],
	})
}

function idOf(list: readonly { id: number; name: string }[], name: string): string {
	return String(list.find((one) => one.name === name)?.id)
}
