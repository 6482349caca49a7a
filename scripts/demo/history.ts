import type { AppContext } from '#app/server/context.ts'
import { mergeTags } from '#features/campaigns/rules.ts'
import { insertCampaign, insertMessages } from '#features/campaigns/server/creation/audience-queries.ts'
import type { StatusUpdate } from '#features/campaigns/server/settlement/settle-queries.ts'
import { settle } from '#features/campaigns/server/settlement/settle.ts'
import { getTemplate, type Template } from '#features/templates/server/service.ts'
import { post } from '#features/wallet/server/service.ts'
import { transaction, type OwnerId, type Sql } from '#lib/server/db.ts'

const PAST = [
	{ daysAgo: 27, name: 'Diwali early bird', template: 'festive_saree_sale', group: 'Festive shoppers' },
	{ daysAgo: 23, name: 'Bulk order dispatch', template: 'order_shipped', group: 'Wholesale buyers' },
	{ daysAgo: 19, name: 'Handloom preview', template: 'new_arrivals', group: 'VIP customers' },
	{ daysAgo: 14, name: 'Diwali week offer', template: 'festive_saree_sale', group: 'Festive shoppers' },
	{ daysAgo: 10, name: 'Pune store weekend', template: 'new_arrivals', group: 'Pune store' },
	{ daysAgo: 6, name: 'Dispatch update', template: 'order_shipped', group: 'Wholesale buyers' },
	{ daysAgo: 4, name: 'Bhai Dooj reminder', template: 'festive_saree_sale', group: 'VIP customers' },
	{ daysAgo: 2, name: 'New silk arrivals', template: 'new_arrivals', group: 'Pune store' },
	{ daysAgo: 1, name: 'Last days of the sale', template: 'festive_saree_sale', group: 'Festive shoppers' },
]

const DAY_MS = 24 * 60 * 60 * 1_000

const VARIABLES: Record<string, Record<string, string>> = {
	festive_saree_sale: { var1: '{{firstName}}', var2: '40%' },
	order_shipped: { var1: '{{firstName}}', var2: 'MT-2041', var3: '3' },
	new_arrivals: { var1: '{{firstName}}' },
}

/**
 * A month of campaigns that were sent, delivered, read and paid for: written by the same steps that a real one goes
 * through, so that every sum agrees, and then moved back in time.
 */
export async function createHistory({ db, notify }: AppContext, owner: OwnerId): Promise<void> {
	for (const past of PAST) {
		const [template] = await db<{ id: number }[]>`
			select id from templates where account_id = ${owner} and name = ${past.template}
		`
		const [group] = await db<{ id: number }[]>`
			select id from contact_groups where account_id = ${owner} and name = ${past.group}
		`
		if (!template || !group) throw new Error('the demo data is incomplete')
		const details = await getTemplate(db, owner, String(template.id))
		await transaction(db, async (sql) => {
			const at = new Date(Date.now() - past.daysAgo * DAY_MS)
			const campaignId = await writeCampaign(sql, owner, { ...past, template: details, groupId: String(group.id) })
			if (campaignId === null) return
			const [row] = await sql<{ total: number }[]>`
				select total_count as total from campaigns where account_id = ${owner} and id = ${campaignId}
			`
			const updates = Array.from({ length: row?.total ?? 0 }, (_, index) => outcome(campaignId, index + 1, at))
			await settle(sql, owner, { updates: updates.map((update) => ({ ...update, status: 'sent' as const })), notify })
			await settle(sql, owner, { updates, notify })
			await moveBack(sql, owner, { campaignId, at })
		})
	}
}

/** Null when it was written by an earlier, interrupted start. */
async function writeCampaign(
	sql: Sql,
	owner: OwnerId,
	past: { name: string; group: string; groupId: string; daysAgo: number; template: Template },
): Promise<number | null> {
	const { name, language, category, components, headerFile } = past.template
	const variables = VARIABLES[name] ?? {}
	const pricePaise = category === 'MARKETING' ? 100 : 30
	const campaignId = await insertCampaign(sql, owner, {
		name: past.name,
		description: null,
		template: { name, language, category, components },
		headerFile,
		variables,
		mergeTags: mergeTags(variables),
		audienceType: 'group',
		audienceName: past.group,
		pricePaise,
		requestId: `demo-${past.daysAgo}`,
		opensAt: new Date(),
	})
	if (campaignId === null) return null
	const audience = { groupId: past.groupId, isMarketing: category === 'MARKETING' }
	const count = await insertMessages(sql, owner, { campaignId, audience, mergeTags: mergeTags(variables) })
	await post(sql, owner, {
		kind: 'hold',
		reference: `hold:${campaignId}`,
		paise: count * pricePaise,
		campaignId,
		messageCount: count,
	})
	await sql`
		update campaigns set status = 'processing', claimed_through = total_count
		where account_id = ${owner} and id = ${campaignId}
	`
	return campaignId
}

const FAILURES = [
	{ code: 131026, text: 'Message undeliverable' },
	{ code: 131049, text: 'Not delivered to keep the recipient’s messages in balance' },
]

/** The last status of a message: most were read, some only delivered, a few failed. */
function outcome(campaignId: number, seq: number, at: Date): StatusUpdate {
	const dice = (seq * 7919 + campaignId * 104_729) % 100
	const sentAt = new Date(at.getTime() + seq * 40)
	const wamid = `wamid.DEMO${campaignId}_${seq}`
	const base = { campaignId, seq, at: sentAt, wamid, errorCode: null, error: null, held: false }
	if (dice < 3) {
		const failure = FAILURES[seq % FAILURES.length]
		return { ...base, status: 'failed', errorCode: failure?.code ?? 0, error: failure?.text ?? '' }
	}
	if (dice < 6) return { ...base, status: 'sent' }
	return { ...base, status: dice < 26 ? 'delivered' : 'read' }
}

async function moveBack(sql: Sql, owner: OwnerId, { campaignId, at }: { campaignId: number; at: Date }): Promise<void> {
	const day = at.toLocaleDateString('en-CA', { timeZone: 'Asia/Kolkata' })
	await sql`
		update campaigns
		set created_at = ${at}, opens_at = ${at}, started_at = ${at}, finished_at = ${at}::timestamptz + interval '1 minute'
		where account_id = ${owner} and id = ${campaignId}
	`
	await sql`
		update ledger_entries set created_at = ${at} where account_id = ${owner} and campaign_id = ${campaignId}
	`
	await sql`
		update ledger_entries set created_at = ${at}::timestamptz - interval '1 day'
		where account_id = ${owner} and kind = 'recharge' and created_at > ${at}
	`
	await sql`
		update statement_lines l
		set day = (e.created_at at time zone 'Asia/Kolkata')::date, last_at = e.created_at
		from ledger_entries e
		where l.account_id = ${owner} and e.account_id = ${owner} and e.id = l.id
	`
	await sql`
		update daily_totals set day = ${day}
		where account_id = ${owner} and day = (now() at time zone 'Asia/Kolkata')::date
	`
	await sql`
		update notifications set created_at = ${at}, read_at = ${at}
		where account_id = ${owner} and link = ${`/campaign/${campaignId}`}
	`
}
