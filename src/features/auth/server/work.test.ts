import assert from 'node:assert/strict'
import { test } from 'node:test'
import { segments } from '#features/audiences/segment-contract.ts'
import { campaigns } from '#features/campaigns/contract.ts'
import { campaignReports } from '#features/campaigns/report-contract.ts'
import { chats } from '#features/chats/contract.ts'
import { contacts } from '#features/contacts/contract.ts'
import { contactGroups } from '#features/contacts/group-contract.ts'
import { developer } from '#features/developer/contract.ts'
import { webhooks } from '#features/developer/webhook-contract.ts'
import { eraseDeletedAccounts } from '#features/privacy/server/account/erase-account.ts'
import { colleagues } from '#features/users/colleague-contract.ts'
import type { Endpoint } from '#lib/endpoint.ts'
import { account, colleague, type TestAccount } from '#test/factories.ts'
import { campaignForm, LATER, launchProduct, sendingAccount } from '#test/full-stack.ts'
import { call as callAt } from '#test/http-app.ts'
import { auth } from '../contract.ts'
import { work, type AccountAction } from '../work-contract.ts'

// The process has no worker: campaigns stay as the tests leave them.
const product = await launchProduct({ env: { ROLE: 'http' } })
const { context, url } = product.process
const admin = await account(context, { role: 'admin' })

type Args<E extends Endpoint> = Omit<Parameters<typeof callAt<E>>[2], 'token'>
const call = <E extends Endpoint>(endpoint: E, args: Args<E>, { token }: TestAccount) =>
	callAt(url, endpoint, { ...args, token })

interface Filter {
	search?: string
	person?: string
	group?: string
	page?: number
	limit?: number
}

const listOf = async (person: TestAccount, query: Filter = {}) =>
	(await call(work.list, { query: query as never }, person)).body
const wordsOf = ({ person, action, colleague: whom, details }: AccountAction) => [person, action, whom, details]

/** Creates an account with an owner, a manager and a scheduled campaign of the manager. */
async function shop() {
	const boss = await sendingAccount(product, { contacts: 2, balancePaise: 1000 })
	const manager = await colleague(context, boss, 'manager')
	return { boss, manager, params: { id: await createCampaign(manager, boss.templateId, 'Diwali') } }
}

/** Schedules a campaign. Returns its id. */
async function createCampaign(person: TestAccount, templateId: string, name: string): Promise<string> {
	const form = campaignForm(templateId, { name, ...LATER })
	const body = { ...form, variables: JSON.stringify(form.variables) }
	const { status, body: created } = await call(campaigns.create, { body: body as never }, person)
	assert.equal(status, 200)
	return created.campaign._id
}

async function makeKey(boss: TestAccount): Promise<void> {
	const form = { name: 'Till', scopes: ['messages:write'], networks: [], currentPassword: boss.password }
	assert.equal((await call(developer.createKey, { body: form as never }, boss)).status, 201)
}

test('work.list names who created, edited, paused, resumed and cancelled a campaign, and leaves out refused changes', async () => {
	const { boss, manager, params } = await shop()
	const edited = { name: 'Diwali sale', variables: { var1: 'there' }, ...LATER }
	await call(campaigns.pause, { params }, boss)
	assert.equal((await call(campaigns.pause, { params }, boss)).status, 409)
	await call(campaigns.update, { params, body: edited }, manager)
	await call(campaigns.resume, { params }, manager)
	await call(campaigns.cancel, { params }, boss)
	const { actions, people, total } = await listOf(manager)
	assert.deepEqual(actions.map(wordsOf), [
		[boss.name, 'campaign-cancelled', null, 'Diwali sale'],
		[manager.name, 'campaign-resumed', null, 'Diwali sale'],
		[manager.name, 'campaign-edited', null, 'Diwali sale'],
		[boss.name, 'campaign-paused', null, 'Diwali'],
		[manager.name, 'campaign-created', null, 'Diwali'],
	])
	assert.equal(total, 5)
	assert.deepEqual(
		people.map(({ name }) => name),
		[boss.name, manager.name],
	)
})

test('work.list filters by person, group and text, in pages; the CSV has the same rows', async () => {
	const { boss, manager, params } = await shop()
	const {
		contacts: [first],
	} = (await call(contacts.list, {}, manager)).body
	await call(contacts.setOptOut, { params: { id: first?._id ?? '' }, body: { optedOut: true } }, manager)
	await call(contacts.setOptOuts, { body: { numbers: ['919800000001', 'x'], optedOut: true } }, boss)
	await call(contacts.exportCsv, {}, boss)
	await call(campaignReports.exportCsv, { params }, manager)
	await makeKey(boss)
	const kinds = async (query: Filter) => (await listOf(boss, query)).actions.map(({ action }) => action)
	assert.deepEqual(await kinds({ person: manager.userId }), ['recipients-exported', 'opted-out', 'campaign-created'])
	assert.deepEqual(await kinds({ group: 'opt-outs', person: boss.userId }), ['opted-out'])
	assert.deepEqual(await kinds({ group: 'programs' }), ['api-key-made'])
	assert.deepEqual(await kinds({ search: 'DIWALI' }), ['recipients-exported', 'campaign-created'])
	assert.deepEqual(await kinds({ page: 2, limit: 4 }), ['opted-out', 'campaign-created'])
	const csv = (await call(work.exportCsv, { query: { search: 'diwali' } }, manager)).body as unknown as Blob
	const [header, ...lines] = (await csv.text()).trim().split(/\r?\n/)
	assert.match(header ?? '', /When,Who,What/)
	assert.deepEqual(
		lines.map((line) => line.split(',').slice(-4).join()),
		[`${manager.name},Exported recipients of campaign,,Diwali`, `${manager.name},Created campaign,,Diwali`],
	)
})

test('an uploaded opt-out is recorded, and a webhook only by its site', async () => {
	const boss = await account(context)
	const manager = await colleague(context, boss, 'manager')
	const row = { firstName: 'Asha', lastName: 'Rao', number: '9811000091', optedOut: 'yes' }
	assert.equal((await call(contacts.addMany, { body: { contacts: [row] } }, manager)).status, 200)
	const hook = {
		url: 'https://shop.example/hooks/7Qm2',
		events: ['message.sent' as const],
		currentPassword: boss.password,
	}
	assert.equal((await call(webhooks.create, { body: hook }, boss)).status, 201)
	assert.deepEqual((await listOf(manager)).actions.map(wordsOf), [
		[boss.name, 'webhook-added', null, 'https://shop.example'],
		[manager.name, 'opted-out', null, '1 number'],
		[manager.name, 'contacts-uploaded', null, '1 row: 1 new'],
	])
	assert.deepEqual((await listOf(manager, { search: '7Qm2' })).actions, [])
})

test('the resumption of a campaign that had stopped with the number counts the others that are resumed with it', async () => {
	const { boss, manager, params } = await shop()
	for (const name of ['Holi', 'Eid']) await createCampaign(manager, boss.templateId, name)
	const stop = () => product.db`
		update campaigns set status = 'paused', paused_with_sender = true, updated_at = now() where account_id = ${boss.accountId}
	`
	await stop()
	await call(campaigns.resume, { params }, manager)
	await stop()
	await call(campaigns.resumeSending, {}, boss)
	const { actions } = await listOf(boss, { group: 'campaigns', limit: 2 })
	assert.deepEqual(actions.map(wordsOf), [
		[boss.name, 'sending-resumed', null, '3 campaigns'],
		[manager.name, 'campaign-resumed', null, 'Diwali, and 2 campaigns that had stopped with it'],
	])
})

test('deletions of contacts and groups are recorded with their number and name', async () => {
	const boss = await account(context)
	const manager = await colleague(context, boss, 'manager')
	const { body: added } = await call(contactGroups.create, { body: { name: 'VIP', type: 'national' } }, boss)
	const rows = ['9811000081', '9811000082', '9811000083', '9811000084'].map((number) => ({
		firstName: 'Asha',
		lastName: '',
		number,
	}))
	await call(contacts.addMany, { body: { contacts: rows } }, boss)
	const ids = (await call(contacts.list, {}, boss)).body.contacts.map(({ _id }) => _id)
	await call(contacts.remove, { params: { id: ids[0] ?? '' } }, manager)
	assert.equal((await call(contacts.remove, { params: { id: ids[0] ?? '' } }, manager)).status, 404)
	await call(contacts.removeMany, { body: { ids: ids.slice(0, 3) } }, manager)
	await call(contacts.removeMany, { body: { matching: { search: 'Asha', total: 1 } } }, boss)
	await call(contactGroups.remove, { params: { id: added.contactGroup._id } }, boss)
	assert.deepEqual((await listOf(boss, { group: 'contacts' })).actions.map(wordsOf), [
		[boss.name, 'group-deleted', null, 'VIP'],
		[boss.name, 'contacts-deleted', null, '1 contact'],
		[manager.name, 'contacts-deleted', null, '2 contacts'],
		[manager.name, 'contacts-deleted', null, '1 contact'],
		[boss.name, 'contacts-uploaded', null, '4 rows: 4 new'],
	])
})

test('saved, changed and deleted segments are recorded by their names, and refused ones are not', async () => {
	const boss = await account(context)
	const manager = await colleague(context, boss, 'manager')
	const body = { name: 'Paid', match: 'all' as const, rules: [{ kind: 'optedOut' as const, is: true }] }
	const { body: made } = await call(segments.create, { body }, manager)
	const params = { id: made.segment._id }
	assert.equal((await call(segments.create, { body }, boss)).status, 409)
	await call(segments.update, { params, body: { ...body, name: 'New' } }, boss)
	for (const status of [200, 404]) assert.equal((await call(segments.remove, { params }, manager)).status, status)
	assert.deepEqual((await listOf(boss, { group: 'contacts' })).actions.map(wordsOf), [
		[manager.name, 'segment-deleted', null, 'New'],
		[boss.name, 'segment-changed', null, 'New'],
		[manager.name, 'segment-created', null, 'Paid'],
	])
})

test('neither an admin nor another account sees the work of an account', async () => {
	const { boss } = await shop()
	await call(contacts.exportCsv, {}, boss)
	await makeKey(boss)
	const other = await account(context)
	assert.deepEqual((await listOf(other)).actions, [])
	const query = { page: 1, limit: 100, search: boss.email }
	const seen = (await call(auth.adminActions, { query }, admin)).body.actions.map(({ action }) => action)
	assert.deepEqual(seen, ['api-key-made'])
	assert.equal((await call(work.list, { query: {} as never }, admin)).status, 403)
})

test('the activity names a colleague who was removed and erased; the campaign then says that it was a former colleague', async () => {
	const { db } = product
	const { boss, manager, params } = await shop()
	const authorOf = async () => (await call(campaigns.get, { params }, boss)).body.campaign.createdBy
	await call(colleagues.remove, { params: { id: manager.userId } }, boss)
	assert.deepEqual((await listOf(boss)).actions.map(wordsOf), [
		[boss.name, 'colleague-removed', manager.name, null],
		[manager.name, 'campaign-created', null, 'Diwali'],
	])
	assert.equal(await authorOf(), manager.name)
	await db`update schema_migrations set applied_at = now() - interval '2 years'`
	await db`update users set deleted_at = now() - interval '91 days' where id = ${manager.userId}`
	await eraseDeletedAccounts({ ...context, keepAccountDays: 90 })
	const { actions, people } = await listOf(boss)
	assert.equal(actions.at(-1)?.person, manager.name)
	assert.deepEqual(
		people.map(({ name }) => name),
		[boss.name],
	)
	assert.equal(await authorOf(), 'A former colleague')
})

test('a chat names the person who wrote each message once the account has had a colleague', async () => {
	const boss = await sendingAccount(product, { contacts: 0 })
	const body = { number: '919800000002', message: 'Hello' }
	const send = async (person: TestAccount) => (await call(chats.send, { body }, person)).body.newMessage.author
	assert.equal(await send(boss), null)
	const agent = await colleague(context, boss, 'agent')
	assert.equal(await send(agent), agent.name)
	const { messages } = (await call(chats.messages, { params: { number: body.number } }, boss)).body
	assert.deepEqual(
		messages.map(({ author }) => author),
		[boss.name, agent.name],
	)
})
