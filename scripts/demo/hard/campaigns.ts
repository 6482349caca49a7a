import type { AppContext } from '#app/server/context.ts'
import { toContacts } from '#features/audiences/server/recipients/recipient-sources.ts'
import { writeOrder } from '#features/campaigns/server/creation/write-order.ts'
import { getTemplate } from '#features/templates/server/service.ts'
import { transaction, type AccountId } from '#lib/server/db.ts'
import { createHistory, daysBefore, type PastCampaign } from '../history.ts'
import { HINDI_TEMPLATE_NAME, LONG_TEMPLATE_NAME } from './templates.ts'
import { HARD_GROUPS, HARD_NAMES, LONG_ERROR, ofLength, UNBROKEN_ERROR, unbroken } from './texts.ts'

const group = (index: number): string => HARD_GROUPS[index]?.name ?? ''

/**
 * Names of the campaigns, sent on successive days to one group each. The last campaign is the largest and has the longest
 * texts.
 */
const NAMES = [
	'A',
	ofLength(HARD_NAMES[0] ?? '', 80),
	ofLength(HARD_NAMES[1] ?? '', 80),
	ofLength(HARD_NAMES[3] ?? '', 80),
	HARD_NAMES[7] ?? '',
	HARD_NAMES[2] ?? '',
	'20% off: "everything" & <more>, only till 30/11',
	ofLength('Last call for the winter collection with free delivery to every district ', 200),
	ofLength('An offer with spaces for everyone who has bought from us at least twice ', 80),
	unbroken(80),
]

const PAST: PastCampaign[] = NAMES.map((name, index) => ({
	daysAgo: NAMES.length - index,
	name,
	description: index % 2 === 1 ? ofLength(`${name} `, 400) : unbroken(300),
	template: index % 3 === 0 ? LONG_TEMPLATE_NAME : HINDI_TEMPLATE_NAME,
	group: group(index % 5 === 4 ? 0 : index % 9),
	variables: { var1: '{{firstName}}', var2: 'MT-2041' },
	failures: [
		{ code: 131000, text: LONG_ERROR },
		{ code: 999_999, text: UNBROKEN_ERROR },
		{ code: 131026, text: 'Message undeliverable' },
	],
}))

const OPEN = [
	{
		name: ofLength('Scheduled for the day after tomorrow, to everyone in this group ', 80),
		status: 'pending',
		reason: null,
	},
	{ name: unbroken(200), status: 'paused', reason: LONG_ERROR },
	{ name: HARD_NAMES[4] ?? '', status: 'failed', reason: UNBROKEN_ERROR },
]

/**
 * Creates campaigns that have been sent, and one each that is scheduled, paused and failed. Returns the id of the campaign with
 * the longest report.
 */
export async function createHardCampaigns(context: AppContext, accountId: AccountId): Promise<number> {
	const { db } = context
	await createHistory(context, accountId, PAST)
	for (const { name, status, reason } of OPEN) {
		await createOpenCampaign(context, accountId, { name, status, reason })
	}
	const [row] = await db<{ id: number }[]>`
		select id from campaigns where account_id = ${accountId} and name = ${NAMES.at(-1) ?? ''}
	`
	if (!row) throw new Error('the campaign was not written')
	return row.id
}

async function createOpenCampaign(
	{ db }: AppContext,
	accountId: AccountId,
	{ name, status, reason }: { name: string; status: string; reason: string | null },
): Promise<void> {
	const [[template], [audience]] = await Promise.all([
		db<{ id: number }[]>`select id from templates where account_id = ${accountId} and name = ${LONG_TEMPLATE_NAME}`,
		db<{ id: number }[]>`select id from contact_groups where account_id = ${accountId} and name = ${group(1)}`,
	])
	if (!template || !audience) throw new Error('the hard data is incomplete')
	const facts = await getTemplate(db, accountId, String(template.id))
	await transaction(db, async (sql) => {
		const { id } = await writeOrder(sql, accountId, {
			name,
			description: ofLength(`${name} `, 1000),
			template: facts,
			variables: { var1: '{{firstName}}', var2: unbroken(60) },
			audienceType: 'group',
			audienceName: group(1),
			groupId: String(audience.id),
			source: toContacts({ groupId: String(audience.id), segment: null }),
			// The sweep refunds a failed campaign later; a price of 0 makes that refund 0, so the balance is predictable.
			pricePaise: status === 'failed' ? 0 : 12_345,
			abroadPrices: null,
			requestId: `hard-${status}`,
			opensAt: daysBefore(-2),
		})
		await sql`
			update campaigns set status = ${status}, status_reason = ${reason} where account_id = ${accountId} and id = ${id}
		`
	})
}
