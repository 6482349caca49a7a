import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import { segments, type Rule, type RuleKind } from '#features/audiences/segment-contract.ts'
import { campaigns } from '#features/campaigns/contract.ts'
import { campaignPreflight } from '#features/campaigns/preflight-contract.ts'
import { campaignReports } from '#features/campaigns/report-contract.ts'
import { contacts } from '#features/contacts/contract.ts'
import { contactTags, customFields } from '#features/contacts/custom-fields.ts'
import { contactGroups } from '#features/contacts/group-contract.ts'
import { sendingRules } from '#features/delivery/contract.ts'
import { v1Campaigns } from '#features/developer/v1-campaign-contract.ts'
import { webhooks } from '#features/developer/webhook-contract.ts'
import { privacy } from '#features/privacy/contract.ts'
import { exportAccount } from '#features/privacy/server/account/export-account.ts'
import { statements } from '#features/statements/contract.ts'
import type { Endpoint } from '#lib/endpoint.ts'
import { apiKey } from '../factories.ts'
import { campaignWhen, startCampaign, type Product, type sendingAccount } from '../full-stack.ts'
import { call } from '../http-app.ts'
import { startReceiver } from '../servers/webhook-receiver.ts'
import { until } from '../until.ts'
import { ALL_EVENTS } from './webhook-scene.ts'

type Sender = Awaited<ReturnType<typeof sendingAccount>>

const PAGE = { page: 1, limit: 20 }
const BROWSER = 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/131.0.0.0 Mobile Safari/537.36'

/** Follows the counted link of a campaign's first message. */
export function follow({ process }: Product, { accountId }: Sender, campaignId: number): Promise<Response> {
	const token = process.context.links.tokenOf({ account: accountId, campaignId, seq: 1, button: 0 })
	return fetch(`${process.url}/l/${token}`, { redirect: 'manual', headers: { 'user-agent': BROWSER } })
}

/**
 * Performs an account's everyday work by calls to the running product: lists, segments, small campaigns, webhooks, rules,
 * statements and privacy. The account's template must have a counted link, and campaign `campaignId` must be delivered. Each
 * part throws if a call fails.
 */
export async function everyday(product: Product, sender: Sender, campaignId: number) {
	const { url } = product.process
	const { token: key } = await apiKey(product.db, sender)
	const id = String(campaignId)
	const called = async <const E extends Endpoint>(endpoint: E, given: object = {}, token = sender.token) => {
		const answer = await call(url, endpoint, { ...given, token })
		assert.ok(answer.status < 300, `${endpoint.path}: ${answer.status} ${answer.body.message}`)
		return answer.body
	}
	const people = async () => (await called(contacts.list, { query: PAGE })).contacts
	const total = async () => (await called(contacts.count, { query: {} })).total
	const isCompleted = (campaign: number) =>
		campaignWhen(product, { ...sender, campaignId: campaign }, ({ status }) => status === 'completed')

	/** Returns a number without a contact. `privacy` erases one, and no contact can be deleted while a machine is down. */
	const stranger = (at: number) => `9197${String(sender.accountId).padStart(7, '0')}${at}`
	const { field: city } = await called(customFields.create, { body: { name: 'City', type: 'text' } })
	const [writtenTo] = await people()
	assert.ok(writtenTo)
	const values = { tags: ['Known'], fields: { City: 'Pune' } }
	const written = { firstName: writtenTo.firstName, number: writtenTo.number, ...values }
	const { contact } = await called(contacts.update, { params: { id: writtenTo._id }, body: written })
	assert.deepEqual([contact.tags, contact.fields], [values.tags, values.fields])
	const to = (at: number) => ({ to: stranger(at), values: { var1: 'Asha' } })
	const receiver = await startReceiver()
	const { id: address } = await called(webhooks.create, {
		body: { url: receiver.url, events: ALL_EVENTS, currentPassword: sender.password },
	})
	const params = { id: address }

	const parts = {
		async 'tags and fields'() {
			const [first, ...others] = await people()
			assert.ok(first)
			await called(contacts.tag, { body: { ids: others.map(({ _id }) => _id), tag: 'VIP', isAdded: true } })
			await called(contacts.tag, {
				body: { matching: { search: '', total: await total() }, tag: 'Buyer', isAdded: true },
			})
			await called(contacts.tag, { body: { ids: [first._id], tag: 'VIP', isAdded: true } })
			const { tags } = await called(customFields.list)
			const tag = tags.find(({ name }) => name === 'VIP')?._id ?? ''
			const tagged = await called(contacts.list, { query: { ...PAGE, tag } })
			assert.equal(tagged.contacts.length, others.length + 1)
			await called(contactTags.rename, { params: { id: tag }, body: { name: 'Regular' } })
			await called(contacts.tag, { body: { ids: [first._id], tag: 'Regular', isAdded: false } })
			await called(contactTags.remove, { params: { id: tag } })
			await called(customFields.rename, { params: { id: city._id }, body: { name: 'Town' } })
			await called(customFields.remove, { params: { id: city._id } })
		},

		async segments() {
			const [first, second] = await people()
			assert.ok(first && second)
			await called(contacts.tag, { body: { ids: [first._id], tag: 'Gold', isAdded: true } })
			const { field } = await called(customFields.create, { body: { name: 'Due', type: 'number' } })
			const { contactGroup } = await called(contactGroups.create, { body: { name: 'Friends', type: 'national' } })
			const { tags } = await called(customFields.list)
			const is = true
			const rules: { [K in RuleKind]: Rule & { kind: K } } = {
				tag: { kind: 'tag', is, tag: tags.find(({ name }) => name === 'Gold')?._id ?? '' },
				field: { kind: 'field', field: field._id, operator: 'empty', value: '' },
				group: { kind: 'group', is: false, group: contactGroup._id },
				added: { kind: 'added', is, days: 7 },
				country: { kind: 'country', is, code: '91' },
				optedOut: { kind: 'optedOut', is: false },
				neverWritten: { kind: 'neverWritten', is: false },
				received: { kind: 'received', is, days: 7 },
				read: { kind: 'read', is: false, campaign: id },
				replied: { kind: 'replied', is: false, days: 7 },
				clicked: { kind: 'clicked', is: false, campaign: id },
				throttled: { kind: 'throttled', is, days: 7 },
				didNotClick: { kind: 'didNotClick', campaign: id },
			}
			for (const rule of Object.values(rules)) {
				await called(segments.count, { body: { match: 'all', rules: [rule] } })
				await called(segments.count, { body: { match: 'any', rules: [rule, rules.tag] } })
			}
			const body = { name: 'Gold', match: 'all', rules: [rules.tag, rules.received, rules.field] }
			const { segment } = await called(segments.create, { body })
			const { contacts: latest } = await called(segments.latest, { params: { id: segment._id } })
			assert.deepEqual(
				latest.map(({ _id }) => _id),
				[first._id],
			)
			const estimate = { audienceType: 'segment', segmentId: segment._id, templateId: sender.templateId }
			assert.equal((await called(campaignPreflight.estimate, { body: estimate })).contacts, 1)
			const form = { audienceType: 'segment' as const, segmentId: segment._id }
			assert.equal((await isCompleted(await startCampaign(product, sender, form))).total, 1)
			await called(segments.update, { params: { id: segment._id }, body: { ...body, name: 'Silver' } })
			await called(segments.remove, { params: { id: segment._id } })
		},

		async clicks() {
			assert.equal((await follow(product, sender, campaignId)).status, 302)
			const asked = { params: { id }, query: { ...PAGE, status: 'clicked' } }
			await until(async () => (await called(campaigns.refresh, asked)).sentMessages.length === 1)
			await called(campaigns.get, asked)
			await called(campaignReports.timeline, { params: { id } })
			await called(campaignReports.groupEstimate, { params: { id }, query: { of: 'clicked' } })
			await called(campaignReports.exportCsv, { params: { id }, query: { status: 'clicked' } })
		},

		async webhooks() {
			await called(webhooks.sendTest, { params })
			await isCompleted(await startCampaign(product, sender))
			await until(async () => receiver.accepted().some(({ type }) => type === 'campaign.completed'))
			const { data } = await called(webhooks.deliveries, { params, query: {} })
			await called(webhooks.sendAgain, { params: { id: data[0]?.id } })
			await called(webhooks.addresses)
		},

		async 'lists in pages'() {
			const post = async (path: string, body: object, idempotencyKey: string) => {
				const response = await fetch(url + path, {
					method: 'POST',
					headers: {
						authorization: `Bearer ${key}`,
						'content-type': 'application/json',
						'idempotency-key': idempotencyKey,
					},
					body: JSON.stringify(body),
				})
				const answer = (await response.json()) as { id: string; total: number }
				assert.ok(response.ok, `${path}: ${JSON.stringify(answer)}`)
				return answer
			}
			const list = { name: 'Diwali', template: { name: 'hello' }, recipients: [to(1)] }
			const made = await post('/v1/campaigns', list, 'list')
			assert.equal((await post('/v1/campaigns', list, 'list')).id, made.id)
			const page = { recipients: [to(2), to(3)] }
			for (const _ of ['first', 'repeated'])
				assert.equal((await post(`/v1/campaigns/${made.id}/recipients`, page, 'page')).total, 3)
			await called(v1Campaigns.startCampaign, { params: { id: made.id } }, key)
			await isCompleted(Number(made.id))
			const message = { template: { name: 'hello' }, ...to(4) }
			assert.equal((await post('/v1/messages', message, 'one')).id, (await post('/v1/messages', message, 'one')).id)
		},

		async 'frequency and quiet hours'() {
			const rules = { frequency: { messages: 1, days: 7 }, quiet: { from: '02:00', until: '02:01' } }
			await called(sendingRules.saveRules, { body: rules })
			const body = { audienceType: 'all', templateId: sender.templateId }
			const { capped } = await called(campaignPreflight.estimate, { body })
			assert.ok(capped > 0)
			await called(sendingRules.saveRules, { body: { frequency: null, quiet: null } })
		},

		async 'statement and comparison'() {
			const of = { params: { userId: sender.userId } }
			const { groups } = await called(statements.groups, { ...of, query: { page: 1 } })
			assert.ok(groups.length > 0)
			await called(statements.list, { ...of, query: { page: 1, campaign: id } })
			await called(statements.export, of)
			await called(statements.spending, of)
			await called(campaigns.list, { query: PAGE })
			await called(campaigns.bestTime)
		},

		async privacy() {
			const number = stranger(1)
			await called(privacy.person, { query: { number } })
			await called(privacy.download, { query: { number } })
			await buffer(exportAccount(product.process.context, sender.accountId))
			assert.equal((await called(privacy.erase, { body: { number } })).counts.campaignMessages, 1)
		},
	}
	return { parts, close: () => receiver.close() }
}
