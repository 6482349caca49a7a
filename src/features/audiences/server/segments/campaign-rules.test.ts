import assert from 'node:assert/strict'
import { test } from 'node:test'
import { segments, type Rule } from '#features/audiences/segment-contract.ts'
import { createCampaign } from '#features/campaigns/server/service.ts'
import { THROTTLED_CODE } from '#features/delivery/rules.ts'
import { account, campaignRow, contact, template } from '#test/factories.ts'
import { campaignForm } from '#test/full-stack.ts'
import { launchTestApp } from '#test/http-app.ts'

const app = await launchTestApp()

test('segments.count and createCampaign refuse a rule about a campaign whose recipients were removed', async () => {
	const as = await account(app.context, { balancePaise: 1000 })
	await contact(app.context.db, as.accountId)
	const { db } = app.context
	const campaign = String(await campaignRow(db, as.accountId))
	const asked = { campaign, days: undefined }
	const rules: Rule[] = [
		...(['read', 'received', 'replied', 'clicked', 'throttled'] as const).map((kind) => ({
			kind,
			is: false,
			...asked,
		})),
		{ kind: 'read', is: true, ...asked },
		{ kind: 'throttled', is: true, ...asked },
		{ kind: 'didNotClick', campaign },
	]
	const saved = await app.call(segments.create, { body: { name: 'Not read', match: 'any', rules } }, as)
	assert.equal(saved.status, 200)
	await db`update campaigns set messages_removed_at = now() where account_id = ${as.accountId} and id = ${campaign}`
	for (const rule of rules)
		assert.deepEqual((await app.call(segments.count, { body: { match: 'all', rules: [rule] } }, as)).body, {
			message: 'Rule 1: the recipients of this campaign are not kept any longer. Choose a later campaign',
		})
	const { templateId } = await template(db, as.accountId)
	const form = campaignForm(templateId, { audienceType: 'segment', segmentId: saved.body.segment._id })
	await assert.rejects(createCampaign(app.context, as.accountId, form), { status: 400 })
})

test('segments.count chooses the contacts whose messages WhatsApp throttled, in one campaign or any, within days or ever', async () => {
	const { db } = app.context
	const as = await account(app.context)
	const { accountId } = as
	const [latest, old] = [await campaignRow(db, accountId), await campaignRow(db, accountId)]
	const add = async (campaign: number, seq: number, code: number | null) => {
		const { number } = await contact(db, accountId)
		await db`
			insert into campaign_messages (account_id, campaign_id, seq, number, status, error_code, status_at)
			values (
				${accountId}, ${campaign}, ${seq}, ${number}, ${code === null ? 'read' : 'failed'}, ${code},
				now() - make_interval(days => ${campaign === old ? 60 : 1})
			)
		`
	}
	for (const [at, code] of [THROTTLED_CODE, THROTTLED_CODE, 131026, null].entries()) await add(latest, at + 1, code)
	for (const [at, code] of [THROTTLED_CODE, 131026].entries()) await add(old, at + 1, code)
	await db`
		insert into campaign_failures (account_id, campaign_id, error_code, error, message_count)
		select account_id, campaign_id, error_code, '', count(*) from campaign_messages
		where account_id = ${accountId} and error_code is not null group by 1, 2, 3
	`
	const count = async ({ is = true, campaign, days }: { is?: boolean; campaign?: number; days?: number }) => {
		const rule: Rule = { kind: 'throttled', is, campaign: campaign === undefined ? undefined : String(campaign), days }
		return (await app.call(segments.count, { body: { match: 'all', rules: [rule] } }, as)).body.contacts
	}
	assert.deepEqual(
		await Promise.all([{}, { is: false }, { campaign: latest }, { campaign: old }, { days: 30 }].map(count)),
		[3, 3, 2, 1, 2],
	)
	assert.deepEqual([await count({ campaign: old, days: 30 }), await count({ campaign: latest, is: false })], [0, 4])
})
