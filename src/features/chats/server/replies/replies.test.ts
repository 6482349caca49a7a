import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { REPLY_HOURS } from '#features/campaigns/rules.ts'
import { callbackData } from '#features/delivery/server/message/message-id.ts'
import { readStatusUpdates } from '#features/delivery/server/message/status-update.ts'
import { countReplies } from '#features/delivery/server/replies/replies.ts'
import { settleStatusUpdates } from '#features/delivery/server/settlement/status-updates.ts'
import { transaction, type AccountId } from '#lib/server/db.ts'
import { LATER, launchProduct, sendingAccount, startCampaign } from '#test/full-stack.ts'
import { receiveMessages } from '../inbound/receive.ts'
import { attributeReplies, checkArrivals } from './replies.ts'

/** Number of runs of the property test. `REPLY_RUNS` sets another one. */
const RUNS = Number(process.env.REPLY_RUNS ?? 15)

const product = await launchProduct({ env: { ROLE: 'http' } })
const { db } = product

const HOUR = 3600
/** Start of the period of all events, ten days ago, in seconds since 1970. */
const START = Math.floor(Date.now() / 1000) - 10 * 24 * HOUR

const CAMPAIGNS = 3
const PEOPLE = 2

/** A webhook about one person: a status update of a campaign message, or a message from the person. */
type Hook =
	| { of: 'status'; campaign: number; person: number; status: 'sent' | 'delivered' | 'read'; at: number }
	| { of: 'message'; person: number; at: number; type: string; quotes: number | 'other' | null }

const anyPerson = fc.integer({ min: 0, max: PEOPLE - 1 })
const anyCampaign = fc.integer({ min: 0, max: CAMPAIGNS - 1 })
const anyTime = fc.integer({ min: 0, max: 8 * 24 }).map((hours) => START + hours * HOUR)
const hook: fc.Arbitrary<Hook> = fc.oneof(
	fc.record({
		of: fc.constant('status' as const),
		campaign: anyCampaign,
		person: anyPerson,
		status: fc.constantFrom('sent' as const, 'delivered' as const, 'read' as const),
		at: anyTime,
	}),
	fc.record({
		of: fc.constant('message' as const),
		person: anyPerson,
		at: anyTime,
		type: fc.constantFrom('text', 'text', 'text', 'system', 'reaction'),
		quotes: fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, fc.constant('other' as const), anyCampaign),
	}),
)

interface Scene {
	accountId: AccountId
	campaigns: number[]
	/** Numbers of the recipients, in the same order in all campaigns. */
	numbers: string[]
}

/** Creates an account with campaigns to the same people and no status updates. */
async function newScene(): Promise<Scene> {
	const sender = await sendingAccount(product, { contacts: PEOPLE, balancePaise: 10_000 })
	const accountId = sender.accountId
	const campaigns: number[] = []
	for (let made = 0; made < CAMPAIGNS; made++) campaigns.push(await startCampaign(product, sender, LATER))
	await db`
		update campaign_messages set wamid = 'wamid.' || campaign_id || '.' || number where account_id = ${accountId}
	`
	const rows = await db<{ number: string }[]>`
		select number from campaign_messages where account_id = ${accountId} and campaign_id = ${campaigns[0] ?? 0} order by seq
	`
	return { accountId, campaigns, numbers: rows.map(({ number }) => number) }
}

const wamidOf = ({ campaigns, numbers }: Scene, at: { campaign: number; person: number }) =>
	`wamid.${campaigns[at.campaign]}.${numbers[at.person]}`

function bodyOf(scene: Scene, { id, ...one }: Hook & { id: number }): object {
	const timestamp = String(one.at)
	if (one.of === 'status') {
		const [campaignId = 0, number = ''] = [scene.campaigns[one.campaign], scene.numbers[one.person]]
		const key = callbackData({ campaignId, seq: one.person + 1 })
		return {
			id: wamidOf(scene, one),
			status: one.status,
			timestamp,
			recipient_id: number,
			biz_opaque_callback_data: key,
		}
	}
	const quoted =
		one.quotes === 'other'
			? 'wamid.of-a-chat'
			: one.quotes === null
				? null
				: wamidOf(scene, { ...one, campaign: one.quotes })
	const content = one.type === 'reaction' ? { message_id: 'wamid.any', emoji: '👍' } : { body: 'Is it still there?' }
	return {
		from: scene.numbers[one.person],
		id: `wamid.in.${id}`,
		timestamp,
		type: one.type,
		[one.type]: content,
		...(quoted && one.type !== 'reaction' && { context: { id: quoted } }),
	}
}

async function deliver(scene: Scene, hooks: (Hook & { id: number })[]): Promise<void> {
	const notify = product.process.context.notify
	const bodies = (of: Hook['of']) => hooks.filter((one) => one.of === of).map((one) => bodyOf(scene, one))
	await transaction(db, async (sql) => {
		if (bodies('message').length > 0)
			await receiveMessages(sql, scene.accountId, [{ contacts: [], messages: bodies('message') }])
		const statusUpdates = readStatusUpdates(bodies('status'))
		await settleStatusUpdates(sql, scene.accountId, { statusUpdates, notify, onArrived: checkArrivals })
	})
}

const attribute = () => attributeReplies(product.process.context)

/** Returns the counts of the campaigns and the times of their recipients' replies, after all checks have run. */
async function resultsOf({ accountId, campaigns }: Scene) {
	await attribute()
	await db`update reply_checks set due_at = now() where account_id = ${accountId}`
	await attribute()
	await countReplies(db)
	const rows = await db<{ campaignId: number; seq: number; repliedAt: Date | null; quotedAt: Date | null }[]>`
		select campaign_id as "campaignId", seq, replied_at as "repliedAt", quoted_at as "quotedAt" from campaign_replies
		where account_id = ${accountId}
	`
	const counts = await db<{ replied: number; quoted: number }[]>`
		select replied_count as replied, quoted_count as quoted from campaigns where account_id = ${accountId} order by id
	`
	const [left] = await db<{ checks: number }[]>`
		select count(*) as checks from reply_checks where account_id = ${accountId}
	`
	assert.equal(left?.checks, 0)
	return {
		counts: counts.map((count) => ({ ...count })),
		replied: campaigns.map((campaignId) =>
			Array.from({ length: PEOPLE }, (_, of) => {
				const row = rows.find((each) => each.campaignId === campaignId && each.seq === of + 1)
				return row?.repliedAt?.getTime() ?? null
			}),
		),
	}
}

/** Returns the time of a customer's message, which is the end of its second. */
const writtenMs = (second: number) => second * 1000 + 999
const WINDOW_MS = REPLY_HOURS * HOUR * 1000

/** Computes the same results from all events, straight from the definition. */
function expectedOf(hooks: Hook[]) {
	const ofPerson = (of: number) => {
		const written = hooks.flatMap((one) =>
			one.of === 'message' && one.person === of && one.type === 'text' ? [{ ...one, ms: writtenMs(one.at) }] : [],
		)
		const quotedMs = (which: number) => least(written.filter(({ quotes }) => quotes === which).map(({ ms }) => ms))
		const arrivals = Array.from({ length: CAMPAIGNS }, (_, which) => {
			const reported = hooks.flatMap((one) =>
				one.of === 'status' && one.person === of && one.campaign === which && one.status !== 'sent'
					? [one.at * 1000]
					: [],
			)
			return { which, ms: least([...reported, ...(quotedMs(which) === null ? [] : [quotedMs(which) ?? 0])]) }
		})
		const arrived = arrivals.flatMap(({ which, ms }) => (ms === null ? [] : [{ which, ms }]))
		const lastBefore = (ms: number) =>
			arrived.filter((one) => one.ms <= ms).toSorted((a, b) => b.ms - a.ms || b.which - a.which)[0]
		return arrivals.map(({ which, ms: arrivedMs }) => {
			if (arrivedMs === null) return { replied: null, isQuoted: false }
			const typed = written.filter(({ quotes, ms }) => quotes === null && lastBefore(ms)?.which === which)
			const quoted = written.filter(({ quotes }) => quotes === which)
			const first = least([...typed, ...quoted].map(({ ms }) => ms).filter((ms) => ms < arrivedMs + WINDOW_MS))
			return { replied: first, isQuoted: quoted.length > 0 }
		})
	}
	const people = Array.from({ length: PEOPLE }, (_, of) => ofPerson(of))
	const replied = Array.from({ length: CAMPAIGNS }, (_, which) => people.map((one) => one[which]?.replied ?? null))
	const counts = replied.map((each, which) => ({
		replied: each.filter((ms) => ms !== null).length,
		quoted: people.filter((one) => one[which]?.isQuoted).length,
	}))
	return { counts, replied }
}

function least(values: number[]): number | null {
	return values.length > 0 ? Math.min(...values) : null
}

test('attributeReplies follows the definition for statuses and messages in any order, batch and repetition', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(hook, { minLength: 4, maxLength: 24 }),
			fc.array(fc.nat(), { maxLength: 12 }),
			fc.integer({ min: 1, max: 6 }),
			async (hooks, repeated, size) => {
				const scene = await newScene()
				const numbered = hooks.map((one, id) => ({ ...one, id }))
				const again = repeated.flatMap((index) => numbered[index % numbered.length] ?? [])
				const all = [...numbered, ...again]
				for (let from = 0; from < all.length; from += size) {
					await deliver(scene, all.slice(from, from + size))
					if (from % 2 === 0) await attribute()
				}
				assert.deepEqual(await resultsOf(scene), expectedOf(hooks))
			},
		),
		{ numRuns: RUNS },
	)
})

test('a reply moves to the campaign that arrived last when its delivered status follows the reply', async () => {
	const scene = await newScene()
	const status = (campaign: number, hours: number) =>
		({ of: 'status', campaign, person: 0, status: 'delivered', at: START + hours * HOUR }) as const
	await deliver(scene, [{ ...status(0, 1), id: 1 }])
	await deliver(scene, [{ of: 'message', person: 0, at: START + 3 * HOUR, type: 'text', quotes: null, id: 2 }])
	await attribute()
	await countReplies(db)
	const before = await db<{ replied: number }[]>`
		select replied_count as replied from campaigns where account_id = ${scene.accountId} order by id
	`
	assert.deepEqual(
		before.map(({ replied }) => replied),
		[1, 0, 0],
	)
	await deliver(scene, [{ ...status(1, 2), id: 3 }])
	const { counts } = await resultsOf(scene)
	assert.deepEqual(
		counts.map(({ replied }) => replied),
		[0, 1, 0],
	)
})

test('a message under a WhatsApp id or with a hidden number counts as a reply to campaigns to the person’s number', async () => {
	for (const link of ['wa_id', 'user_id'] as const) {
		const scene = await newScene()
		const [number = ''] = scene.numbers
		const other = link === 'wa_id' ? `549${number.slice(3)}` : `IN.${number}`
		if (link === 'wa_id')
			await db`insert into whatsapp_ids (account_id, number, wa_id) values (${scene.accountId}, ${number}, ${other})`
		else
			await db`
				insert into chats (account_id, key, user_id, last_at, inbound_at)
				values (${scene.accountId}, ${number}, ${other}, now() - interval '30 days', now() - interval '30 days')
			`
		const sender = link === 'wa_id' ? { from: other } : { from_user_id: other }
		const message = {
			...sender,
			id: 'wamid.in.other',
			timestamp: String(START + 2 * HOUR),
			type: 'text',
			text: { body: 'Yes' },
		}
		await transaction(db, (sql) => receiveMessages(sql, scene.accountId, [{ contacts: [], messages: [message] }]))
		await attribute()
		await deliver(scene, [{ of: 'status', campaign: 0, person: 0, status: 'delivered', at: START + HOUR, id: 1 }])
		const { counts } = await resultsOf(scene)
		assert.deepEqual(
			counts.map(({ replied }) => replied),
			[1, 0, 0],
			link,
		)
	}
})

test('a message without a stored arrival counts as arrived at its last status, and a stored quoting answer remains', async () => {
	const scene = await newScene()
	const [first = 0] = scene.campaigns
	await deliver(scene, [{ of: 'status', campaign: 0, person: 0, status: 'delivered', at: START + HOUR, id: 1 }])
	await deliver(scene, [{ of: 'status', campaign: 0, person: 1, status: 'delivered', at: START + HOUR, id: 2 }])
	await db`update campaign_messages set arrived_at = null where account_id = ${scene.accountId}`
	await deliver(scene, [{ of: 'message', person: 0, at: START + 2 * HOUR, type: 'text', quotes: null, id: 3 }])
	// A quoting answer as the previous release stored it.
	const quotedAt = new Date((START + 2 * HOUR) * 1000)
	await db`
		insert into campaign_replies (account_id, campaign_id, seq, replied_at) values (${scene.accountId}, ${first}, 2, ${quotedAt})
	`
	await db`update campaign_replies set quoted_at = replied_at where account_id = ${scene.accountId} and seq = 2`
	await db`
		insert into reply_checks (account_id, chat, since, is_last_look)
		select account_id, number, '1970-01-01', true from campaign_messages
		where account_id = ${scene.accountId} and campaign_id = ${first}
	`
	const { counts } = await resultsOf(scene)
	assert.deepEqual(counts[0], { replied: 2, quoted: 1 })
})
