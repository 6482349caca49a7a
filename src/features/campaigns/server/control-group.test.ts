import assert from 'node:assert/strict'
import { test } from 'node:test'
import { campaigns } from '#features/campaigns/contract.ts'
import { countControlGroups } from '#features/chats/server/control-groups.ts'
import { setOptOuts } from '#features/contacts/server/opt-outs/opt-outs.ts'
import { recordClicks } from '#features/links/server/record-clicks.ts'
import { getWallet } from '#features/wallet/server/ledger.ts'
import { INDIAN_TIME_ZONE } from '#lib/dates.ts'
import { HOUR_MS } from '#lib/durations.ts'
import { campaignWhen, LATER, launchProduct, moneyFindings, sendingAccount, startCampaign } from '#test/full-stack.ts'
import { call } from '#test/http-app.ts'
import { openShop } from '#test/scenes/shop.ts'
import { until } from '#test/until.ts'

const PRICE_PAISE = 100

const product = await launchProduct()
const db = product.db

type Sender = Awaited<ReturnType<typeof sendingAccount>>

/** Returns the messages and numbers of a campaign, in its order, and the numbers of its control group. */
async function numbersOf(campaignId: number) {
	const messages = await db<{ seq: number; number: string }[]>`
		select seq, number from campaign_messages where campaign_id = ${campaignId} order by seq
	`
	const kept = await db<{ number: string }[]>`
		select number from campaign_held_out where campaign_id = ${campaignId} order by number
	`
	return { messages, recipients: messages.map(({ number }) => number), controlGroup: kept.map(({ number }) => number) }
}

const campaignOf = (sender: Sender, campaignId: number) => campaignWhen(product, { ...sender, campaignId }, () => true)
const completed = (sender: Sender, campaignId: number) =>
	campaignWhen(product, { ...sender, campaignId }, ({ status }) => status === 'completed')

test('createCampaign with a control group numbers, counts, pays for and sends only the messages of the other recipients', async () => {
	const sender = await sendingAccount(product, { contacts: 30, balancePaise: 27 * PRICE_PAISE })
	const campaignId = await startCampaign(product, sender, { holdOutPercent: 10 })
	const { messages, recipients, controlGroup } = await numbersOf(campaignId)
	assert.deepEqual(
		messages.map(({ seq }) => seq),
		Array.from({ length: 27 }, (_, at) => at + 1),
	)
	assert.equal(controlGroup.length, 3)
	assert.equal(new Set([...recipients, ...controlGroup]).size, 30)
	const done = await completed(sender, campaignId)
	assert.deepEqual([done.total, done.controlGroupPercent, done.controlGroup?.people], [27, 10, 3])
	for (const number of controlGroup) assert.equal((await product.simulator.control.received(number)).accepted, 0)
	await until(async () => (await getWallet(db, sender.accountId)).heldPaise === 0)
	assert.equal((await getWallet(db, sender.accountId)).availablePaise, 0)
	assert.deepEqual(await moneyFindings(db), [])
})

test('createCampaign with a control group returns 402 and writes nothing when the wallet lacks the price of one of the other messages', async () => {
	const sender = await sendingAccount(product, { contacts: 30, balancePaise: 26 * PRICE_PAISE })
	await assert.rejects(startCampaign(product, sender, { holdOutPercent: 10 }), { status: 402 })
	const rows = await db`select 1 from campaign_held_out where account_id = ${sender.accountId}`
	assert.equal(rows.length, 0)
})

test('the control group depends only on the campaign and the numbers', async () => {
	const sender = await sendingAccount(product, { contacts: 40, balancePaise: 10_000 })
	const [first, second] = [
		await startCampaign(product, sender, { holdOutPercent: 50 }),
		await startCampaign(product, sender, { holdOutPercent: 50 }),
	]
	const { controlGroup, recipients } = await numbersOf(first)
	const byHash = await db<{ number: string }[]>`
		select n.number from unnest(${[...recipients, ...controlGroup]}::text[]) as n (number)
		order by hashtextextended(n.number, ${first}::bigint) limit 20
	`
	assert.deepEqual(byHash.map(({ number }) => number).toSorted(), controlGroup)
	assert.notDeepEqual((await numbersOf(second)).controlGroup, controlGroup)
})

test('a repeated order returns its campaign with the same percentage of the control group, and 409 with another one', async () => {
	const sender = await sendingAccount(product, { contacts: 20, balancePaise: 10_000 })
	const order = { requestId: 'control-group', name: 'Diwali', holdOutPercent: 10 }
	const campaignId = await startCampaign(product, sender, order)
	const { controlGroup } = await numbersOf(campaignId)
	assert.equal(await startCampaign(product, sender, order), campaignId)
	assert.deepEqual((await numbersOf(campaignId)).controlGroup, controlGroup)
	for (const holdOutPercent of [20, undefined])
		await assert.rejects(startCampaign(product, sender, { ...order, holdOutPercent }), { status: 409 })
})

test('a campaign to an audience too small for the percentage has no control group', async () => {
	const sender = await sendingAccount(product, { contacts: 1, balancePaise: 100 })
	const campaignId = await startCampaign(product, sender, { holdOutPercent: 50 })
	const { total, controlGroup } = await completed(sender, campaignId)
	assert.deepEqual([total, controlGroup], [1, null])
})

test('opted-out rows of a file get no message and are not in the control group, which is a share of the other rows', async () => {
	const sender = await sendingAccount(product, { contacts: 0, balancePaise: 450 * PRICE_PAISE })
	const numbers = Array.from({ length: 510 }, (_, at) => `9198${String(sender.accountId).padStart(4, '0')}${1000 + at}`)
	const out = numbers.slice(0, 10)
	await setOptOuts(db, sender.accountId, { numbers: out, optedOut: true, because: 'manual' })
	const text = ['number', ...numbers.map((number) => `+${number}`)].join('\n')
	const { templateId, token } = sender
	const create = async (holdOutPercent: string) =>
		call(product.process.url, campaigns.create, {
			body: {
				name: 'From a file',
				templateId,
				audienceType: 'file',
				variables: JSON.stringify({ var1: 'friend' }),
				...LATER,
				timezone: INDIAN_TIME_ZONE,
				holdOutPercent,
			},
			files: { file: new File([text], 'people.csv', { type: 'text/csv' }) },
			token,
		})
	for (const wrong of ['0', '51', '9.5', 'ten', '']) assert.equal((await create(wrong)).status, 400, wrong)
	assert.equal((await create('9')).status, 402)
	const { status, body } = await create('10')
	assert.equal(status, 200, body.message)
	assert.deepEqual([body.campaign.totalCount, body.campaign.heldOut?.people], [450, 50])
	const { recipients, controlGroup } = await numbersOf(Number(body.campaign._id))
	assert.deepEqual([recipients.length, controlGroup.length], [450, 50])
	assert.ok([...recipients, ...controlGroup].every((number) => !out.includes(number)))
	assert.deepEqual(await moneyFindings(db), [])
})

test('/v1/campaigns accepts holdOutPercent for all contacts, and returns 422 for a list of recipients', async () => {
	const shop = await openShop(product, { balancePaise: 18 * PRICE_PAISE, contacts: 20 })
	const form = { name: 'Diwali', template: { name: 'hello' }, values: { var1: 'friend' }, holdOutPercent: 10 }
	const recipients = [{ to: '919812345678' }]
	assert.equal((await shop.post('/v1/campaigns', { ...form, recipients })).status, 422)
	assert.equal((await shop.post('/v1/campaigns', { ...form, holdOutPercent: 51 })).status, 422)
	assert.equal((await shop.post('/v1/campaigns', form)).status, 422)
	const { status, body } = await shop.post('/v1/campaigns', { ...form, audience: 'all' })
	assert.equal(status, 201, JSON.stringify(body))
	const created = body as unknown as { counts: { total: number }; heldOut: { people: number } }
	assert.deepEqual([created.counts.total, created.heldOut.people], [18, 2])
})

/** Sends a customer's message, as WhatsApp delivers it. */
const write = ({ credentials }: Sender, from: string) =>
	product.simulator.control.sendInbound({
		phone_number_id: credentials.phone_number_id,
		from,
		content: { body: 'Do you have it in blue?' },
	})

test('countControlGroups counts replies within 72 hours and clicks within 7 days of both groups, and no longer after 7 days', async () => {
	const sender = await sendingAccount(product, { contacts: 20, balancePaise: 10_000 })
	const accountId = sender.accountId
	const earlier = await startCampaign(product, sender)
	await campaignWhen(product, { ...sender, campaignId: earlier }, ({ delivered, read }) => delivered + read === 20)
	const campaignId = await startCampaign(product, sender, { holdOutPercent: 20 })
	await campaignWhen(product, { ...sender, campaignId }, ({ delivered, read }) => delivered + read === 16)
	// Times of whole seconds, as in Meta's webhooks.
	await db`update campaigns set started_at = now() - interval '1 hour' where id = ${campaignId}`
	await db`update campaign_messages set arrived_at = now() - interval '2 hours' where campaign_id = ${earlier}`
	await db`update campaign_messages set arrived_at = now() - interval '1 hour' where campaign_id = ${campaignId}`
	const { recipients, controlGroup } = await numbersOf(campaignId)
	const [kept = '', other = '', taken = ''] = controlGroup
	const [first = '', second = '', third = ''] = recipients
	for (const number of [kept, first, first, second, taken]) await write(sender, number)
	const replies = async () => (await campaignOf(sender, campaignId)).replied
	await until(async () => (await replies()) === 2)
	const place = async (number: string, atMs: number, id: string) => {
		const [row] = await db<{ seq: number }[]>`
			select seq from campaign_messages where campaign_id = ${earlier} and number = ${number}
		`
		return { id, campaignId: earlier, seq: row?.seq ?? 0, button: 0, atMs }
	}
	const now = Date.now()
	await recordClicks(db, accountId, [
		await place(kept, now, 'a'),
		await place(other, now, 'b'),
		await place(third, now, 'c'),
		await place(third, now, 'd'),
		await place(second, now - 2 * HOUR_MS, 'e'),
	])
	const count = async () => {
		await db`update campaigns set hold_out_due_at = now() where id = ${campaignId}`
		await countControlGroups(product.process.context)
		const { controlGroup: found } = await campaignOf(sender, campaignId)
		assert.ok(found)
		const { countedAt, ...counts } = found
		const [row] = await db<{ due: Date | null }[]>`
			select hold_out_due_at as due from campaigns where id = ${campaignId}
		`
		return { counts, countedAt, due: row?.due ?? null }
	}
	// The person `taken`, in the control group, answers the earlier campaign, which reached them after the start of this
	// campaign.
	await db`
		update campaign_messages set arrived_at = now() - interval '30 minutes'
		where campaign_id = ${earlier} and number = ${taken}
	`
	const during = await count()
	assert.deepEqual(during.counts, { people: 4, wrote: 1, clicked: 2, recipientsWrote: 2, recipientsClicked: 1 })
	assert.ok(during.due !== null && during.countedAt)
	const startAgo = async (interval: string) => {
		await db`update campaigns set started_at = now() - ${interval}::interval where id = ${campaignId}`
		return count()
	}
	await db`update campaign_messages set arrived_at = now() - interval '30 days' where campaign_id = ${earlier}`
	const within = await startAgo('71 hours 55 minutes')
	assert.deepEqual([within.counts.wrote, within.counts.clicked], [2, 2])
	const after = await startAgo('72 hours 5 minutes')
	assert.deepEqual([after.counts.wrote, after.counts.clicked], [0, 2])
	const ended = await startAgo('7 days 1 hour')
	// The last click was two hours ago, within the seven days.
	assert.deepEqual(ended.counts, { people: 4, wrote: 0, clicked: 0, recipientsWrote: 2, recipientsClicked: 1 })
	assert.equal(ended.due, null)
})

test('countControlGroups postpones a campaign that has not started, and never counts one that was cancelled before its start', async () => {
	const sender = await sendingAccount(product, { contacts: 4, balancePaise: 10_000 })
	const campaignId = await startCampaign(product, sender, { ...LATER, holdOutPercent: 50 })
	const due = async () => {
		await db`update campaigns set hold_out_due_at = now() where id = ${campaignId}`
		await countControlGroups(product.process.context)
		const [row] = await db`select hold_out_due_at as due from campaigns where id = ${campaignId}`
		return row?.due
	}
	assert.ok(await due())
	await call(product.process.url, campaigns.cancel, { params: { id: String(campaignId) }, token: sender.token })
	await until(async () => (await campaignOf(sender, campaignId)).pending === 0)
	assert.equal(await due(), null)
	assert.equal((await campaignOf(sender, campaignId)).controlGroup?.countedAt, null)
})
