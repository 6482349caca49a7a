import type { AppContext } from '#app/server/context.ts'
import { toContacts } from '#features/audiences/server/recipients/recipient-sources.ts'
import { writeOrder } from '#features/campaigns/server/creation/write-order.ts'
import { dashboardPaths } from '#features/dashboards/paths.ts'
import type { MessageUpdate } from '#features/delivery/server/settlement/message-changes.ts'
import { settle } from '#features/delivery/server/settlement/settle.ts'
import { getPrices } from '#features/pricing/server/queries.ts'
import { getTemplate } from '#features/templates/server/service.ts'
import { countProcessed } from '#features/whatsapp/server/webhooks/queries.ts'
import { INDIAN_TIME_ZONE, indianDay } from '#lib/dates.ts'
import { DAY_MS, MINUTE_MS } from '#lib/durations.ts'
import { transaction, type AccountId, type Sql } from '#lib/server/db.ts'
import { INDIAN_TODAY } from '#lib/server/db/indian-today.ts'

export interface PastCampaign {
	daysAgo: number
	name: string
	/** Name of a template of the account; `group` is the name of one of its groups. */
	template: string
	group: string
	description?: string
	/** Values of the template's variables; by default the values in this file. */
	variables?: Record<string, string>
	/** Errors of the failed messages, used in rotation; the usual ones by default. */
	failures?: readonly Failure[]
}

interface Failure {
	code: number
	text: string
}

export function daysBefore(days: number): Date {
	return new Date(Date.now() - days * DAY_MS)
}

/** Indian times at which shops send, used in rotation: late morning and after work. */
const SENDING_TIMES = ['11:05', '18:20']

/**
 * Returns a usual sending time on the day, or the present time on the day if messages sent at the usual time could be read in
 * the future.
 */
function sendingTime(daysAgo: number, turn: number): Date {
	const ago = daysBefore(daysAgo)
	const time = SENDING_TIMES[turn % SENDING_TIMES.length] ?? ''
	const usual = new Date(`${indianDay(ago.getTime())}T${time}:00+05:30`)
	return usual.getTime() + LONGEST_DELAY_MS < Date.now() ? usual : ago
}

/** Maximum delay between delivery and reading. */
const LONGEST_DELAY_MS = 150 * MINUTE_MS

/** Name of the campaign whose link is counted. */
export const WEDDING_CAMPAIGN = 'Wedding collection'

/** The campaigns of the demo user's account. */
export const PAST: PastCampaign[] = [
	{ daysAgo: 27, name: 'Diwali early bird', template: 'festive_saree_sale', group: 'Festive shoppers' },
	{ daysAgo: 23, name: 'Bulk order dispatch', template: 'order_shipped', group: 'Wholesale buyers' },
	{ daysAgo: 19, name: 'Handloom preview', template: 'new_arrivals', group: 'VIP customers' },
	{ daysAgo: 14, name: 'Diwali week offer', template: 'festive_saree_sale', group: 'Festive shoppers' },
	{ daysAgo: 10, name: 'Pune store weekend', template: 'new_arrivals', group: 'Pune store' },
	{ daysAgo: 8, name: WEDDING_CAMPAIGN, template: 'wedding_collection', group: 'Festive shoppers' },
	{ daysAgo: 6, name: 'Dispatch update', template: 'order_shipped', group: 'Wholesale buyers' },
	{ daysAgo: 4, name: 'Bhai Dooj reminder', template: 'festive_saree_sale', group: 'VIP customers' },
	{ daysAgo: 2, name: 'New silk arrivals', template: 'new_arrivals', group: 'Pune store' },
	{ daysAgo: 1, name: 'Last days of the sale', template: 'festive_saree_sale', group: 'Festive shoppers' },
]

const VARIABLES: Record<string, Record<string, string>> = {
	festive_saree_sale: { var1: '{{firstName}}', var2: '40%' },
	order_shipped: { var1: '{{firstName}}', var2: 'MT-2041', var3: '3' },
	new_arrivals: { var1: '{{firstName}}' },
	wedding_collection: { var1: '{{firstName}}' },
	seasonal_offer: { var1: '{{firstName}}', var2: '20%' },
	appointment_reminder: { var1: '{{firstName}}', var2: 'Monday, 10 am' },
}

/**
 * Writes a month of campaigns that were sent, delivered, read and paid for. They pass the same steps as real campaigns, so that
 * every sum agrees, and are then moved back in time.
 */
export async function createHistory(
	{ db, notify }: AppContext,
	accountId: AccountId,
	campaigns: readonly PastCampaign[],
): Promise<void> {
	const prices = await getPrices(db, accountId)
	for (const [turn, past] of campaigns.entries()) {
		const [template] = await db<{ id: number }[]>`
			select id from templates where account_id = ${accountId} and name = ${past.template}
		`
		const [group] = await db<{ id: number }[]>`
			select id from contact_groups where account_id = ${accountId} and name = ${past.group}
		`
		if (!template || !group) throw new Error('the demo data is incomplete')
		const facts = await getTemplate(db, accountId, String(template.id))
		await transaction(db, async (sql) => {
			const at = sendingTime(past.daysAgo, turn)
			const { id: campaignId, isNew } = await writeOrder(sql, accountId, {
				name: past.name,
				template: facts,
				description: past.description,
				variables: past.variables ?? VARIABLES[facts.name] ?? {},
				audienceType: 'group',
				audienceName: past.group,
				groupId: String(group.id),
				source: toContacts({ groupId: String(group.id), segment: null }),
				pricePaise: facts.category === 'MARKETING' ? prices.marketingPaise : prices.utilityPaise,
				abroadPrices: null,
				requestId: `demo-${past.daysAgo}`,
				opensAt: null,
			})
			// An earlier, interrupted start has written the campaign.
			if (!isNew) return
			await sql`
				update campaigns set status = 'processing', claimed_through = total_count
				where account_id = ${accountId} and id = ${campaignId}
			`
			const [row] = await sql<{ total: number }[]>`
				select total_count as total from campaigns where account_id = ${accountId} and id = ${campaignId}
			`
			const pricing = { category: facts.category.toLowerCase(), type: 'regular' }
			const updates = Array.from({ length: row?.total ?? 0 }, (_, index) => ({
				...outcomeOf({ campaignId, seq: index + 1, at }, past.failures ?? FAILURES),
				pricing,
			}))
			await settle(sql, accountId, {
				updates: updates.map((update) => ({ ...update, status: 'sent' as const })),
				notify,
			})
			await settle(sql, accountId, {
				updates: updates.map((update) => (update.status === 'read' ? { ...update, at: readTime(update) } : update)),
				notify,
			})
			const receivedAt = new Date(Math.max(at.getTime(), ...updates.map((update) => readTime(update).getTime())))
			await countProcessed(sql, accountId, { deliveries: updates.length, ignored: 0, receivedAt })
			await moveBack(sql, accountId, { campaignId, at })
		})
	}
}

const FAILURES: Failure[] = [
	{ code: 131026, text: 'Message undeliverable' },
	{ code: 131049, text: 'Not delivered to keep the recipient’s messages in balance' },
	{ code: 131016, text: 'Service unavailable' },
]

/** Returns the final status of a message: mostly read, some only delivered, a few failed. */
function outcomeOf(
	{ campaignId, seq, at }: { campaignId: number; seq: number; at: Date },
	failures: readonly Failure[],
): MessageUpdate {
	const dice = (seq * 7919 + campaignId * 104_729) % 100
	const sentAt = new Date(at.getTime() + seq * 40)
	const wamid = `wamid.DEMO${campaignId}_${seq}`
	const base = { campaignId, seq, at: sentAt, wamid, errorCode: null, error: null, isInQualityCheck: false }
	if (dice < 3) {
		const failure = failures[seq % failures.length]
		return { ...base, status: 'failed', errorCode: failure?.code ?? 0, error: failure?.text ?? '' }
	}
	if (dice < 6) return { ...base, status: 'sent' }
	return { ...base, status: dice < 26 ? 'delivered' : 'read' }
}

/** Returns the time of reading: soon for most messages, in the evening for some. */
function readTime({ seq, campaignId, at }: MessageUpdate): Date {
	const dice = ((seq * 7907 + campaignId * 31) % 100) / 100
	return new Date(Math.min(at.getTime() + dice ** 3 * LONGEST_DELAY_MS, Date.now()))
}

async function moveBack(
	sql: Sql,
	accountId: AccountId,
	{ campaignId, at }: { campaignId: number; at: Date },
): Promise<void> {
	const day = indianDay(at.getTime())
	await sql`
		update campaigns
		set created_at = ${at}, opens_at = ${at}, started_at = ${at}, finished_at = ${at}::timestamptz + interval '1 minute'
		where account_id = ${accountId} and id = ${campaignId}
	`
	await sql`
		update ledger_entries set created_at = ${at} where account_id = ${accountId} and campaign_id = ${campaignId}
	`
	await sql`
		update ledger_entries set created_at = ${at}::timestamptz - interval '1 day'
		where account_id = ${accountId} and kind = 'recharge' and created_at > ${at}
	`
	await sql`
		update statement_lines l
		set day = (e.created_at at time zone ${INDIAN_TIME_ZONE})::date, last_at = e.created_at
		from ledger_entries e
		where l.account_id = ${accountId} and e.account_id = ${accountId} and e.id = l.id
	`
	await sql`
		update daily_totals set day = ${day}
		where account_id = ${accountId} and day = ${INDIAN_TODAY}
	`
	await sql`
		update notifications set created_at = ${at}, read_at = ${at}
		where account_id = ${accountId} and link = ${`/campaign/${campaignId}`}
	`
	// The welcome becomes older than every campaign.
	await sql`
		update notifications set created_at = ${at}::timestamptz - interval '2 days', read_at = ${at}
		where account_id = ${accountId} and link = ${dashboardPaths.user} and created_at > ${at}
	`
}
