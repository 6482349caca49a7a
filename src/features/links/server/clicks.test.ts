import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import Papa from 'papaparse'
import { campaigns } from '#features/campaigns/contract.ts'
import { campaignReports } from '#features/campaigns/report-contract.ts'
import { finalizeCampaigns } from '#features/delivery/server/months/months.ts'
import { privacy } from '#features/privacy/contract.ts'
import type { Endpoint } from '#lib/endpoint.ts'
import { numberCell } from '#lib/files/csv.ts'
import { startProductChild } from '#test/child-process.ts'
import { findFreePort } from '#test/free-port.ts'
import { campaignWhen, launchProduct, sendingAccount, startCampaign } from '#test/full-stack.ts'
import { call } from '#test/http-app.ts'
import { withCountedLink } from '#test/scenes/counted-link.ts'
import { startTcpProxy, type TcpProxy } from '#test/servers/tcp-proxy.ts'
import { until } from '#test/until.ts'
import { recordClicks } from './record-clicks.ts'

const TARGET = 'https://shop.example/sale?from=whatsapp'
const BROWSER = 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/131.0.0.0 Mobile Safari/537.36'
/** Maximum time of a redirect in milliseconds: half of the time after which a connection to the database is given up. */
const UNCONNECTED_MS = 5000

const product = await launchProduct({ statuses: { readRate: 0 } })

/** Sends a campaign with a counted link; returns the recipients' tokens and calls of the account. */
async function sentCampaign(contacts = 3) {
	const { simulator, process } = product
	const sender = await sendingAccount(product, { contacts, components: withCountedLink(product, TARGET) })
	const campaignId = await startCampaign(product, sender)
	await campaignWhen(product, { ...sender, campaignId }, ({ delivered }) => delivered === contacts)
	const rows = await product.db<{ number: string }[]>`
		select number from campaign_messages where account_id = ${sender.accountId} and campaign_id = ${campaignId} order by seq
	`
	const numbers = rows.map(({ number }) => number)
	const tokens = await Promise.all(
		numbers.map(async (number) => {
			const { messages } = await simulator.control.received(number)
			const sent = messages[0]?.payload as SentTemplate | undefined
			return sent?.template.components.at(-1)?.parameters[0]?.text ?? ''
		}),
	)
	const id = String(campaignId)
	const ask = <const E extends Endpoint>(endpoint: E, given: object = {}) =>
		call(process.url, endpoint, { params: { id } as never, ...given, token: sender.token })
	const detail = async () => (await ask(campaigns.get, { query: { page: 1, limit: 1 } })).body.campaign
	const isCounted = (clicked: number, clicks: number) =>
		until(async () => {
			const campaign = await detail()
			return campaign.clickedCount === clicked && campaign.clickCount === clicks
		})
	const page = { page: 1, limit: 10 }
	const listed = async (query: object) =>
		(await ask(campaigns.refresh, { query: { ...page, ...query } })).body.sentMessages
	return { sender, campaignId, id, numbers, tokens, ask, detail, isCounted, listed }
}

interface SentTemplate {
	template: { components: { parameters: { text: string }[] }[] }
}

function follow(token: string, { base = product.process.url, method = 'GET', headers = {} } = {}) {
	return fetch(`${base}/l/${token}`, { method, redirect: 'manual', headers: { 'user-agent': BROWSER, ...headers } })
}

const linkOf = (response: Response) => [response.status, response.headers.get('location')]

test('a message’s link shows a plain page when its account is deactivated', async () => {
	const { tokens, sender } = await sentCampaign(1)
	await product.db`update users set is_active = false where account_id = ${sender.accountId}`
	const response = await follow(tokens[0] ?? '')
	assert.deepEqual(linkOf(response), [404, null])
	assert.match(await response.text(), /This link does not work/)
})

test('each recipient’s link leads to the target, and the report lists clickers, clicks and times', async () => {
	const { tokens, numbers, ask, isCounted, listed, detail, sender, id } = await sentCampaign()
	const [first = '', second = ''] = tokens
	assert.equal(new Set(tokens).size, 3)
	assert.ok(first.length <= 30)
	for (const token of [first, first, second]) {
		const response = await follow(token)
		assert.deepEqual(linkOf(response), [302, TARGET])
		assert.equal(response.headers.get('cache-control'), 'no-store')
	}
	await isCounted(2, 3)
	assert.equal((await detail()).countsClicks, true)

	const clicked = await listed({ status: 'clicked' })
	assert.deepEqual(
		clicked.map(({ number, clicks }) => [number, clicks]),
		[
			[numbers[0], 2],
			[numbers[1], 1],
		],
	)
	assert.ok(clicked.every(({ clickedAt }) => Date.now() - Date.parse(String(clickedAt)) < 60_000))
	assert.deepEqual(
		(await listed({})).map(({ clicks }) => clicks),
		[2, 1, 0],
	)
	assert.equal((await listed({ status: 'clicked', search: numbers[0] })).length, 1)
	assert.equal((await listed({ status: 'clicked', search: numbers[2] })).length, 0)
	const { spans } = (await ask(campaignReports.timeline)).body
	assert.equal(
		spans.reduce((sum, { clicks }) => sum + clicks, 0),
		3,
	)
	const estimate = await ask(campaignReports.groupEstimate, { query: { of: 'clicked' } })
	assert.equal(estimate.body.recipients, 2)
	const { body } = await ask(campaigns.list, { params: {}, query: { page: 1, limit: 10 } })
	assert.deepEqual(
		body.campaigns.map((one) => [one.deliveredCount, one.readCount, one.repliedCount, one.clickedCount]),
		[[3, 0, 0, 2]],
	)
	const response = await fetch(`${product.process.url}/api/campaigns/${id}/export?status=clicked`, {
		headers: { authorization: `Bearer ${sender.token}` },
	})
	const { data } = Papa.parse<Record<string, string>>((await response.text()).trim(), { header: true })
	assert.deepEqual(
		data.map((row) => [row['Phone Number'], row['Clicks'], row['First Click'] !== '']),
		[
			[numberCell(numbers[0] ?? ''), '2', true],
			[numberCell(numbers[1] ?? ''), '1', true],
		],
	)
})

test('a preview, a HEAD request and a prefetch are redirected and not counted', async () => {
	const { tokens, isCounted } = await sentCampaign(1)
	const [token = ''] = tokens
	for (const given of [
		{ headers: { 'user-agent': 'WhatsApp/2.24.20.89 A' } },
		{ headers: { 'user-agent': 'facebookexternalhit/1.1' } },
		{ method: 'HEAD' },
		{ headers: { 'sec-purpose': 'prefetch' } },
	])
		assert.deepEqual(linkOf(await follow(token, given)), [302, TARGET])
	await follow(token)
	await isCounted(1, 1)
})

test('the example that Meta reviews leads to the target and is not counted', async () => {
	const { sender, detail } = await sentCampaign(1)
	const [link] = await product.db<{ token: string }[]>`
		select token from template_links where account_id = ${sender.accountId}
	`
	assert.deepEqual(linkOf(await follow(link?.token ?? '')), [302, TARGET])
	assert.equal((await detail()).clickCount, 0)
})

test('a forged token and the token of a missing campaign return a plain page with 404', async () => {
	const { tokens, sender } = await sentCampaign(1)
	const { links } = product.process.context
	const gone = links.tokenOf({ account: sender.accountId, campaignId: 999_999, seq: 1, button: 0 })
	const noButton = links.tokenOf({ account: sender.accountId, campaignId: 999_999, seq: 1, button: 1 })
	for (const token of [`${tokens[0]?.slice(0, -4)}AAAA`, gone, noButton, 'x']) {
		const response = await follow(token)
		assert.equal(response.status, 404)
		assert.match(await response.text(), /This link does not work/)
	}
})

test('recordClicks counts a repeated click once, and at most a hundred clicks per message', async () => {
	const { campaignId, sender, detail } = await sentCampaign(1)
	const clickOf = (id: string) => ({ id, campaignId, seq: 1, button: 0, atMs: Date.now() })
	for (const ids of [['a', 'b'], ['b', 'a', 'c'], ['c']])
		await recordClicks(product.db, sender.accountId, ids.map(clickOf))
	const some = await detail()
	assert.deepEqual([some.clickedCount, some.clickCount], [1, 3])
	for (let round = 0; round < 2; round++)
		await recordClicks(
			product.db,
			sender.accountId,
			Array.from({ length: 150 }, (_, at) => clickOf(`more-${at}`)),
		)
	assert.deepEqual([(await detail()).clickedCount, (await detail()).clickCount], [1, 100])
})

test('a click on a finalized campaign leads to the target and is not written', async () => {
	const { campaignId, sender, tokens, detail } = await sentCampaign(1)
	await campaignWhen(product, { ...sender, campaignId }, ({ status }) => status === 'completed')
	assert.equal(
		await finalizeCampaigns(product.db, sender.accountId, { firstId: campaignId, endId: campaignId + 1 }),
		null,
	)
	assert.deepEqual(linkOf(await follow(tokens[0] ?? '')), [302, TARGET])
	await recordClicks(product.db, sender.accountId, [{ id: 'late', campaignId, seq: 1, button: 0, atMs: Date.now() }])
	assert.equal((await detail()).clickCount, 0)
})

test('clicks of an erased recipient stay in the counts, and the recipient is in no list of clickers', async () => {
	const { tokens, numbers, ask, isCounted } = await sentCampaign(2)
	for (const token of tokens) await follow(token)
	await isCounted(2, 2)
	const held = await ask(privacy.person, { params: {}, query: { number: numbers[0] } })
	assert.equal(held.status, 200)
	await ask(privacy.erase, { params: {}, body: { number: numbers[0] } })
	await isCounted(2, 2)
	assert.equal((await ask(campaignReports.groupEstimate, { query: { of: 'clicked' } })).body.recipients, 1)
	assert.deepEqual(linkOf(await follow(tokens[0] ?? '')), [302, TARGET])
})

/** Starts a second web server that reaches the product's database through the proxy. */
async function webServer(proxy: TcpProxy) {
	const port = await findFreePort()
	const base = `http://127.0.0.1:${port}`
	const { DATABASE_URL = '', LISTEN_URL = '' } = product.env
	const env = { ROLE: 'http', PORT: String(port), PUBLIC_URL: base, LISTEN_URL, DATABASE_URL: proxy.url(DATABASE_URL) }
	const start = () => startProductChild({ ...product.env, ...env })
	return { base, start, child: await start() }
}

test('clicks during an outage of the database and before a kill -9 are redirected and counted once', async (t) => {
	const { tokens, isCounted } = await sentCampaign(4)
	const proxy = await startTcpProxy({ port: Number(new URL(product.env.DATABASE_URL ?? '').port) })
	t.after(() => proxy.close())
	const { base, start, child } = await webServer(proxy)
	const [first = '', ...others] = tokens
	assert.deepEqual(linkOf(await follow(first, { base })), [302, TARGET])
	proxy.refuse(true)
	for (const token of [...others, first]) {
		const startMs = performance.now()
		assert.deepEqual(linkOf(await follow(token, { base })), [302, TARGET])
		assert.ok(performance.now() - startMs < UNCONNECTED_MS)
	}
	child.kill('SIGKILL')
	await once(child, 'exit')
	proxy.refuse(false)
	const again = await start()
	await isCounted(4, 5)
	again.kill('SIGTERM')
	await once(again, 'exit')
	await isCounted(4, 5)
})

test('a click on an unknown campaign waits for a short outage, and returns 503 after a longer one', async (t) => {
	const { tokens, isCounted } = await sentCampaign(1)
	const proxy = await startTcpProxy({ port: Number(new URL(product.env.DATABASE_URL ?? '').port) })
	t.after(() => proxy.close())
	const { base, child } = await webServer(proxy)
	t.after(() => child.kill('SIGKILL'))
	proxy.refuse(true)
	const waiting = follow(tokens[0] ?? '', { base })
	setTimeout(() => proxy.refuse(false), 1000)
	assert.deepEqual(linkOf(await waiting), [302, TARGET])
	await isCounted(1, 1)
	proxy.refuse(true)
	const { links } = product.process.context
	const unknown = links.tokenOf({ account: 1, campaignId: 999_999, seq: 1, button: 0 })
	const refused = await follow(unknown, { base })
	assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '30'])
})

test('recordClicks counts each recipient once when eight servers write at the same time', async () => {
	const { campaignId, sender, detail } = await sentCampaign(2)
	await Promise.all(
		Array.from({ length: 8 }, (_, server) =>
			recordClicks(
				product.db,
				sender.accountId,
				[1, 2].map((seq) => ({ id: `s${server}-${seq}`, campaignId, seq, button: 0, atMs: Date.now() })),
			),
		),
	)
	const { clickedCount, clickCount } = await detail()
	assert.deepEqual([clickedCount, clickCount], [2, 16])
})
