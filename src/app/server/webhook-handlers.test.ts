import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { beforeEach, test } from 'node:test'
import { getUsableTemplate } from '#features/campaigns/server/creation/read-form.ts'
import { orderForChat } from '#features/chats/server/sending/send-template.ts'
import { settleChatStatusUpdates } from '#features/chats/server/settlement/status-updates.ts'
import { retryUnmatched } from '#features/delivery/server/sweeps/sweeps.ts'
import { startIngest } from '#features/whatsapp/server/webhooks/ingest.ts'
import { transaction, type Sql } from '#lib/server/db.ts'
import { launchProduct, moneyFindings, sendingAccount, startCampaign } from '#test/full-stack.ts'
import { until, untilLocked } from '#test/until.ts'
import { composeHandlers } from './webhook-handlers.ts'

const notify = async () => {}

// Starts no worker: the tests settle their own messages.
const product = await launchProduct({ env: { ROLE: 'http' } })

let scene: Awaited<ReturnType<typeof createScene>>
beforeEach(async () => {
	scene = await createScene()
})

/** Creates a campaign with two accepted messages and a chat template, all charged. */
async function createScene() {
	const sender = await sendingAccount(product, { contacts: 2, balancePaise: 300 })
	const { accountId: shop } = sender
	const campaignId = await startCampaign(product, sender)
	const template = await getUsableTemplate(product.db, shop, sender.templateId)
	const order = { chat: '919800000001', template, variables: { var1: 'Asha' }, pricePaise: 100 }
	const ordered = await transaction(product.db, (sql) => orderForChat(sql, shop, order))
	const [contact] = await product.db<{ number: string }[]>`
		select number from campaign_messages where account_id = ${shop} and campaign_id = ${campaignId} and seq = 1
	`
	const chat = (status: string) => ({
		id: `chat-${shop}`,
		status,
		recipient_id: order.chat,
		biz_opaque_callback_data: `campaign:${ordered}:1`,
		...(status === 'failed' && { errors: [{ code: 131026 }] }),
	})
	const campaign = (status: string, seq = 1) => ({
		id: `campaign-${shop}-${seq}`,
		status,
		recipient_id: contact?.number,
		biz_opaque_callback_data: `campaign:${campaignId}:${seq}`,
		...(status === 'failed' && { errors: [{ code: 131026 }] }),
	})
	const take = (sql: Sql, statuses: unknown[]) => Promise.resolve(handlers().statuses?.(sql, shop, statuses))
	const receive = (...statuses: unknown[]) => transaction(product.db, (sql) => take(sql, statuses))
	await receive(campaign('sent', 1), campaign('sent', 2), chat('sent'))
	return { shop, appSecret: sender.credentials.app_secret, campaignId, chat, campaign, take, receive }
}

const handlers = () => composeHandlers({ ...product.process.context, notify, onTemplateMoved: async () => {} })

/** Runs the work next to a transaction that has locked the campaign's first message, then settles both. */
async function runBesideSettling(work: () => Promise<unknown>): Promise<void> {
	const { shop, campaignId, campaign, take } = scene
	let done: Promise<unknown> | undefined
	await transaction(product.db, async (sql) => {
		await sql`
			select 1 from campaign_messages where account_id = ${shop} and campaign_id = ${campaignId} and seq = 1 for update
		`
		done = work()
		await untilLocked(product.db)
		await take(sql, [campaign('failed', 1), campaign('failed', 2)])
	})
	await done
	assert.deepEqual(await moneyFindings(product.db), [])
}

test('a webhook batch that refunds a chat waits for a settling transaction without a deadlock', async () => {
	const { chat, campaign, receive } = scene
	await runBesideSettling(() => receive(chat('failed'), campaign('delivered', 1)))
})

test('an inbound webhook that pauses the account and fails its messages waits for a settling transaction without a deadlock', async (t) => {
	const { shop, campaign } = scene
	const [sender] = await product.db<{ phone_number_id: string; path: string }[]>`
		select phone_number_id, '/api/webhooks/whatsapp/' || webhook_key as path from senders where account_id = ${shop}
	`
	const metadata = { phone_number_id: sender?.phone_number_id }
	const body = {
		entry: [
			{
				changes: [
					{ field: 'messages', value: { metadata, statuses: [campaign('failed', 1)] } },
					{ field: 'account_update', value: { metadata, event: 'ACCOUNT_DELETED' } },
				],
			},
		],
	}
	await product.db`update campaigns set status = 'processing' where id = ${scene.campaignId}`
	const text = JSON.stringify(body)
	const signature = `sha256=${createHmac('sha256', scene.appSecret).update(text).digest('hex')}`
	const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signature }
	const { status } = await fetch(`${product.process.url}${sender?.path}`, { method: 'POST', headers, body: text })
	assert.equal(status, 200)
	const { log, listener } = product.process.context
	const failures: unknown[] = []
	const note = (failure: unknown) => failures.push(failure)
	const noting = { ...log, warn: note, error: note } as unknown as typeof log
	let ingest: { stop(): Promise<void> } | undefined
	t.after(() => ingest?.stop())
	const isApplied = async () =>
		(await product.db`select 1 from webhook_deliveries where account_id = ${shop}`).length === 0
	await runBesideSettling(async () => {
		ingest = await startIngest({ db: product.db, listener, log: noting, handlers: handlers() })
		await until(isApplied)
	})
	assert.deepEqual(failures, [])
})

test('late status updates that refund a chat wait for a settling transaction without a deadlock', async () => {
	const { shop, chat, campaign } = scene
	for (const { id, status, recipient_id = '' } of [chat('failed'), campaign('delivered')]) {
		const statusUpdate = {
			wamid: id,
			recipient: recipient_id,
			status,
			at: new Date(),
			errorCode: 131026,
			error: 'Failed',
		}
		await product.db`
			insert into unmatched_reports (account_id, wamid, status, report, retry_at)
			values (${shop}, ${id}, ${status}, ${JSON.stringify(statusUpdate)}, now())
		`
	}
	const { log } = product.process.context
	const failures: unknown[] = []
	const noting = { ...log, error: (failure: unknown) => failures.push(failure) } as unknown as typeof log
	await runBesideSettling(() =>
		retryUnmatched({ db: product.db, log: noting, notify, settleOthers: settleChatStatusUpdates }),
	)
	assert.deepEqual(failures, [])
})

/** Returns a status update without our id. */
const early = (wamid: string) => ({
	id: wamid,
	status: 'delivered',
	recipient_id: '919800000002',
	pricing: { type: 'free_customer_service', category: 'service' },
})

test('a status update of a reply that came before its wamid counts the reply once its message is found', async () => {
	const { shop, campaign, receive } = scene
	const { db, log } = product.process.context
	const ids = await db<{ id: number }[]>`
		insert into chat_messages (account_id, chat, direction, kind, status, at)
		select ${shop}, '919800000002', 'out', 'text', 'pending', now() from generate_series(1, 2) returning id
	`
	const countOfReplies = async () => {
		const [row] = await db<{ messages: number }[]>`
			select coalesce(sum(messages), 0)::int as messages from usage_days where account_id = ${shop} and category = 'service'
		`
		return row?.messages
	}
	const wamids = ids.map(({ id }) => `early-${id}`)
	await receive(...wamids.map(early))
	for (const [at, { id }] of ids.entries()) {
		await db`update chat_messages set wamid = ${wamids[at] ?? ''} where account_id = ${shop} and id = ${id}`
		await db`update unmatched_reports set retry_at = now() where account_id = ${shop} and wamid = ${wamids[at] ?? ''}`
		// The second time, a campaign message waits beside the reply.
		if (at === 1) {
			const report = { ...campaign('delivered'), wamid: campaign('').id, recipient: campaign('').recipient_id }
			await db`
				insert into unmatched_reports (account_id, wamid, status, report, retry_at)
				values (${shop}, ${report.wamid}, 'delivered', ${JSON.stringify({ ...report, at: new Date() })}, now())
			`
		}
		await retryUnmatched({ db, log, notify, settleOthers: settleChatStatusUpdates })
		assert.equal(await countOfReplies(), at + 1)
	}
})

test('a webhook batch without campaign money locks the wallet before the day’s totals', async () => {
	const { shop, chat, campaign, receive } = scene
	let batch: Promise<unknown> | undefined
	await transaction(product.db, async (sql) => {
		await sql`select 1 from wallets where account_id = ${shop} for update`
		batch = receive(chat('failed'), campaign('delivered', 1))
		await untilLocked(product.db)
		await sql`update daily_totals set sent = sent where account_id = ${shop}`
	})
	await batch
	assert.deepEqual(await moneyFindings(product.db), [])
})

test('a number that is reconnected to the phone app sends again, unless it was stopped for another reason', async () => {
	const { shop, campaignId } = scene
	const { db } = product
	const take = (...events: string[]) =>
		transaction(db, async (sql) => {
			await handlers().account_update?.(
				sql,
				shop,
				events.map((event) => ({ event })),
			)
		})
	const state = async () => {
		const [row] = await db<{ status: string; isStopped: boolean }[]>`
			select c.status, s.stopped_reason is not null as "isStopped" from campaigns c
			join senders s on s.account_id = c.account_id
			where c.account_id = ${shop} and c.id = ${campaignId}
		`
		return [row?.status, row?.isStopped]
	}
	await db`update campaigns set status = 'processing' where account_id = ${shop} and id = ${campaignId}`
	await take('ACCOUNT_OFFBOARDED', 'ACCOUNT_OFFBOARDED')
	assert.deepEqual(await state(), ['paused', true])
	await take('ACCOUNT_RECONNECTED')
	// The scene has never opened the campaign, so it waits to be opened.
	assert.deepEqual(await state(), ['pending', false])
	await take('ACCOUNT_RECONNECTED', 'PARTNER_REMOVED', 'ACCOUNT_OFFBOARDED', 'ACCOUNT_RECONNECTED')
	assert.deepEqual(await state(), ['pending', true])
})
