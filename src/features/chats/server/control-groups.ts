import { CONTROL_GROUP_DAYS } from '#features/audiences/rules.ts'
import {
	listDueControlGroupsAllAccounts,
	type DueControlGroup,
} from '#features/audiences/server/control-group-queries.ts'
import { updateControlGroup } from '#features/delivery/server/orders/new-message-queries.ts'
import { DAY_MS, MINUTE_MS } from '#lib/durations.ts'
import { forEachAccount, scanAllAccounts, type SweepContext } from '#lib/server/db/all-accounts.ts'
import { announceLive } from '#lib/server/db/channels/channels.ts'
import { countControlGroup } from './control-group-queries.ts'

const SPAN_MS = CONTROL_GROUP_DAYS * DAY_MS
/** Time between two counts of a campaign as a fraction of its age: every minute in the first hour, every three hours at the end. */
const PART_OF_AGE = 1 / 60

const SCAN_LIMIT = 100

/** Counts replies and clicks for each due campaign with a control group. Returns the number of campaigns. */
export async function countControlGroups(deps: SweepContext): Promise<number> {
	const due = await scanAllAccounts(deps.db, (only) =>
		listDueControlGroupsAllAccounts(deps.db, { limit: SCAN_LIMIT, only }),
	)
	return forEachAccount(deps, due, async (campaign) => {
		await countOne(deps, campaign)
		return 1
	})
}

async function countOne({ db }: SweepContext, campaign: DueControlGroup): Promise<void> {
	const { accountId, campaignId, startedAt, isEnded, now, controlGroup } = campaign
	if (startedAt === null) {
		const dueAt = isEnded ? null : new Date(now.getTime() + MINUTE_MS)
		return updateControlGroup(db, accountId, { campaignId, controlGroup, dueAt })
	}
	const until = new Date(startedAt.getTime() + SPAN_MS)
	const counts = await countControlGroup(db, accountId, { campaignId, since: startedAt, until })
	const ageMs = now.getTime() - startedAt.getTime()
	const nextMs = Math.min(now.getTime() + Math.max(MINUTE_MS, ageMs * PART_OF_AGE), until.getTime())
	await updateControlGroup(db, accountId, {
		campaignId,
		controlGroup: { ...controlGroup, ...counts, countedAt: now.toISOString() },
		dueAt: now < until ? new Date(nextMs) : null,
	})
	announceLive(db, accountId, { kind: 'campaign', id: String(campaignId) })
}
