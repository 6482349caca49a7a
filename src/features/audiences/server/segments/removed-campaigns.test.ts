import assert from 'node:assert/strict'
import { test } from 'node:test'
import { segments, type Rule } from '#features/audiences/segment-contract.ts'
import { createCampaign } from '#features/campaigns/server/service.ts'
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
		...(['read', 'received', 'replied', 'clicked'] as const).map((kind) => ({ kind, is: false, ...asked })),
		{ kind: 'read', is: true, ...asked },
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
