import { EVERYONE } from '#features/audiences/server/recipients/audience-queries.ts'
import { listed, toNobody } from '#features/audiences/server/recipients/recipient-sources.ts'
import {
	insertCampaignOf,
	insertRecipients,
	WRITE_TIMEOUT_MS,
} from '#features/campaigns/server/creation/write-order.ts'
import type { Campaign } from '#features/campaigns/server/queries.ts'
import { getCampaign } from '#features/campaigns/server/service.ts'
import { OWN_ERRORS, PAUSED_BY_OWNER } from '#features/delivery/rules.ts'
import { addCounts } from '#features/delivery/server/orders/new-message-queries.ts'
import { CANCELLED_BY_OWNER, refuseChange } from '#features/delivery/server/service.ts'
import { problem } from '#features/developer/problems.ts'
import { plural } from '#lib/numbers.ts'
import { notFound } from '#lib/problems.ts'
import type { Db, AccountId, Sql } from '#lib/server/db.ts'
import { rehearse } from '#lib/server/db/rehearsal.ts'
import type { KeyHolder } from '#lib/server/http/http.ts'
import {
	addPage,
	listRecipients,
	orderCampaign,
	startDraft,
	type CampaignCalls,
	type CampaignChange,
	type ListedRecipient,
} from '../campaigns/campaigns.ts'
import { presentCampaign } from '../campaigns/present-campaign.ts'
import { readCampaign, type CampaignBody } from '../campaigns/read-campaign.ts'
import { refuseEnded, refuseStarted } from '../campaigns/recipient-list.ts'
import { faultAt, invalid } from '../faults.ts'
import { runIdempotent } from '../orders/idempotency.ts'
import * as queries from './test-campaign-queries.ts'
import type { CountedCampaign, StoredCampaign } from './test-campaign-queries.ts'
import { asCampaign, reportOf, statusAt, storedForm, totalOf } from './test-campaign.ts'
import { recordTestPaused } from './test-events.ts'
import { deleteMessages, failMessages, insertMessages, listTestRecipients } from './test-message-queries.ts'
import { MAX_TEST_MESSAGES, newMessage, refuseTooMany, sentMessage, withOrderId } from './test-messages.ts'

/** Rows that a call wrote to the real tables in a transaction that was rolled back. */
interface Rehearsed {
	campaign: Campaign
	recipients: ListedRecipient[]
}

/**
 * Returns the calls of test keys. Creation, pages and start run the code of real campaigns in a transaction that is rolled
 * back. The result is stored in the tables of test keys, which cause no sending, charge or count.
 */
export function testCampaigns(db: Db): CampaignCalls {
	return {
		create: (key, { body, asked }) =>
			runIdempotent(db, key.accountId, {
				asked,
				prepare: () => rehearseCreation(db, key, body),
				work: async (sql, rehearsed) => presentCampaign(await writeNew(sql, key.accountId, rehearsed)),
			}),
		addRecipients: ({ accountId }, { id, recipients, asked }) =>
			runIdempotent(db, accountId, {
				asked,
				prepare: () => rehearsePage(db, accountId, { id, recipients }),
				async work(sql, { before, added, ...rehearsed }) {
					await replace(sql, accountId, { before, rehearsed })
					return added
				},
			}),
		start: (key, { id, asked }) =>
			runIdempotent(db, key.accountId, {
				asked,
				prepare: () => rehearseStart(db, key, id),
				async work(sql, { before, ...rehearsed }) {
					if (before.state === 'draft') await replace(sql, key.accountId, { before, rehearsed })
					return presentCampaign(await getTestCampaign(sql, key.accountId, id))
				},
			}),
		change: ({ accountId }, { id, asked, action }) =>
			runIdempotent(db, accountId, {
				asked,
				async work(sql) {
					await change(sql, accountId, { id, action })
					return presentCampaign(await getTestCampaign(sql, accountId, id))
				},
			}),
		list: async (accountId, wanted) => (await queries.listTestCampaigns(db, accountId, wanted)).map(asCampaign),
		get: (accountId, id) => getTestCampaign(db, accountId, id),
		report: async (accountId, id) => reportOf(await findStored(db, accountId, id)),
		async recipients(accountId, { id, after, limit, status }) {
			const { id: campaignId } = await findStored(db, accountId, id)
			const all = await listTestRecipients(db, accountId, campaignId)
			const nowMs = Date.now()
			return all
				.filter(({ seq }) => seq > after)
				.map((message) => ({ ...sentMessage(message, nowMs), number: message.to }))
				.filter((message) => status === undefined || message.status === status)
				.slice(0, limit)
		},
	}
}

async function rehearseCreation(db: Db, key: KeyHolder, body: CampaignBody): Promise<Rehearsed> {
	const order = await readCampaign(db, key.accountId, body)
	const sizeRefusal = (recipients: number) => {
		if (recipients <= MAX_TEST_MESSAGES) return null
		const path = (['audience', 'group', 'segment'] as const).filter((name) => body[name] !== undefined)
		const most = plural(MAX_TEST_MESSAGES, 'recipient')
		return invalid([faultAt(path, `A campaign of a test key has at most ${most}. Choose a smaller audience.`)])
	}
	const work = async (sql: Sql) =>
		readBack(sql, key.accountId, await orderCampaign(sql, key, { ...order, sizeRefusal }))
	return rehearse(db, work, { timeoutMs: WRITE_TIMEOUT_MS })
}

async function rehearsePage(
	db: Db,
	accountId: AccountId,
	{ id, recipients }: Parameters<typeof addPage>[2],
): Promise<Rehearsed & { before: CountedCampaign; added: Awaited<ReturnType<typeof addPage>> }> {
	const before = await findStored(db, accountId, id)
	refuseStarted(statusAt(before, Date.now()))
	return rehearse(db, async (sql) => {
		const draftId = String(await writeDraft(sql, accountId, before))
		const added = await addPage(sql, accountId, { id: draftId, recipients })
		const campaign = await getCampaign(sql, accountId, draftId)
		return { ...(await readBack(sql, accountId, withLeftOut(campaign, before))), before, added }
	})
}

async function rehearseStart(db: Db, key: KeyHolder, id: string): Promise<Rehearsed & { before: CountedCampaign }> {
	const { accountId } = key
	const before = await findStored(db, accountId, id)
	refuseEnded(statusAt(before, Date.now()))
	if (before.state !== 'draft') return { before, campaign: asCampaign(before), recipients: [] }
	return rehearse(db, async (sql) => {
		const draftId = String(await writeDraft(sql, accountId, before))
		const campaign = await startDraft(sql, key, draftId)
		return { ...(await readBack(sql, accountId, withLeftOut(campaign, before))), before }
	})
}

/** Returns a rehearsed campaign whose counts of recipients who are left out include earlier rehearsals. */
function withLeftOut(campaign: Campaign, { facts }: StoredCampaign): Campaign {
	const { capped, unpriced = 0 } = facts
	return { ...campaign, capped: capped + campaign.capped, unpriced: unpriced + campaign.unpriced }
}

async function readBack(sql: Sql, accountId: AccountId, campaign: Campaign): Promise<Rehearsed> {
	const wanted = { id: String(campaign.id), after: 0, limit: MAX_TEST_MESSAGES, status: undefined }
	return { campaign, recipients: await listRecipients(sql, accountId, wanted) }
}

/** Inserts a draft of a test key into the real tables for a rehearsal. Returns its id there. */
async function writeDraft(sql: Sql, accountId: AccountId, { id, facts, opensAt }: StoredCampaign): Promise<number> {
	const campaignId = await insertCampaignOf(sql, accountId, {
		...facts,
		description: facts.description ?? undefined,
		template: { ...facts.template, headerFile: null },
		source: toNobody(),
		abroadPrices: null,
		status: 'draft',
		opensAt: facts.isScheduled ? opensAt : null,
		mergeTags: [],
		requestId: null,
		groupId: null,
		segmentId: null,
		retryOf: null,
		controlGroupPercent: undefined,
	})
	if (campaignId === null) throw new Error('a campaign without a request is always written')
	const stored = await listTestRecipients(sql, accountId, id)
	const recipients = stored.map(({ to, name, reference, metadata }) => ({
		number: to,
		name,
		values: [],
		reference,
		metadata,
	}))
	const { count } = await insertRecipients(sql, accountId, {
		campaignId,
		after: 0,
		mergeTags: [],
		recipients: { ...listed(recipients), rules: EVERYONE },
		prices: null,
	})
	if (count > 0) await addCounts(sql, accountId, { campaignId, before: 0, count })
	return campaignId
}

async function writeNew(sql: Sql, accountId: AccountId, { campaign, recipients }: Rehearsed): Promise<Campaign> {
	await refuseTooMany(sql, accountId, recipients.length)
	const { facts, ...times } = storedForm(campaign)
	const id = await withOrderId((free) => queries.insertTestCampaign(sql, accountId, { id: free, facts, ...times }))
	await writeMessages(sql, accountId, { id, campaign, recipients, createdAt: null })
	return getTestCampaign(sql, accountId, String(id))
}

/** Replaces a campaign by its rehearsed form. Throws a 409 when another request has changed it since `before` was read. */
async function replace(
	sql: Sql,
	accountId: AccountId,
	{ before, rehearsed }: { before: CountedCampaign; rehearsed: Rehearsed },
): Promise<void> {
	const { id, createdAt } = before
	await queries.lockTestCampaign(sql, accountId, String(id))
	const now = await findStored(sql, accountId, String(id))
	if (now.state !== before.state || totalOf(now) !== totalOf(before)) throw problem('busy', { what: 'campaign' })
	await refuseTooMany(sql, accountId, rehearsed.recipients.length - totalOf(before))
	const { state, facts, beginsAt } = storedForm(rehearsed.campaign)
	await queries.updateTestCampaign(sql, accountId, { id, state, facts, beginsAt })
	await deleteMessages(sql, accountId, id)
	await writeMessages(sql, accountId, { id, createdAt, ...rehearsed })
}

async function writeMessages(
	sql: Sql,
	accountId: AccountId,
	{ id, campaign, recipients, createdAt }: Rehearsed & { id: number; createdAt: Date | null },
): Promise<void> {
	if (recipients.length === 0) return
	const { name, language } = campaign.template
	const messages = recipients.map(newMessage)
	await insertMessages(sql, accountId, { id, template: { name, language }, messages, createdAt })
}

/** Pauses, resumes or cancels a campaign, whose messages are either all sent or all waiting. */
async function change(
	sql: Sql,
	accountId: AccountId,
	{ id, action }: { id: string; action: CampaignChange },
): Promise<void> {
	await queries.lockTestCampaign(sql, accountId, id)
	const campaign = await findStored(sql, accountId, id)
	const verb = { pause: 'paused', resume: 'resumed', cancel: 'cancelled' }[action]
	refuseChange(statusAt(campaign, Date.now()), { action, verb })
	const state = ({ pause: 'paused', resume: 'pending', cancel: 'cancelled' } as const)[action]
	const statusReason = { pause: PAUSED_BY_OWNER, resume: null, cancel: CANCELLED_BY_OWNER }[action]
	const facts = { ...campaign.facts, statusReason }
	const { opensAt } = campaign
	const beginsAt = action === 'cancel' ? new Date() : new Date(Math.max(Date.now(), opensAt.getTime()))
	await queries.updateTestCampaign(sql, accountId, { id: campaign.id, state, facts, beginsAt })
	if (action === 'pause')
		await recordTestPaused(sql, accountId, { id: campaign.id, name: facts.name, reason: PAUSED_BY_OWNER })
	if (action === 'cancel')
		await failMessages(sql, accountId, { campaignId: campaign.id, errorCode: OWN_ERRORS.cancelled.code })
}

async function findStored(sql: Sql, accountId: AccountId, id: string): Promise<CountedCampaign> {
	const found = await queries.findTestCampaign(sql, accountId, id)
	if (!found) throw notFound('Campaign')
	return found
}

async function getTestCampaign(sql: Sql, accountId: AccountId, id: string): Promise<Campaign> {
	return asCampaign(await findStored(sql, accountId, id))
}
