import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { whatsapp } from '#features/whatsapp/contract.ts'
import type { TestAccount } from '#test/factories.ts'
import { launchTestApp, statusBeforeBody } from '#test/http-app.ts'
import { until } from '#test/until.ts'

const app = await launchTestApp({ simulator: true })
const admin = await app.signIn('admin')

/** Creates an account with a sender; `secret: false` omits its app secret. */
async function sender({ secret = true } = {}) {
	const shop = await app.signIn('user')
	const given = await app.simulator.control.createAccount()
	const { app_secret, ...open } = given
	const body = secret ? given : open
	const saved = await app.call(whatsapp.saveCredentials, { params: { userId: shop.userId }, body }, admin)
	assert.equal(saved.status, 200, saved.body.message)
	const { webhookUrl: url, verifyToken } = saved.body.credentials
	return { shop, given, url, verifyToken, app_secret }
}

/** Creates an account whose webhooks the operator's app signs; with `secret`, its own app does. */
async function sharedSender({ secret = false } = {}) {
	const { shop, given, url } = await sender({ secret })
	return { shop, url, phone_number_id: given.phone_number_id, waba_id: given.waba_id }
}

const sign = (secret: string, body: string | Uint8Array<ArrayBuffer>) =>
	`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

function post(url: string, body: string | Uint8Array<ArrayBuffer>, signature?: string): Promise<Response> {
	const headers = { 'content-type': 'application/json', ...(signature && { 'x-hub-signature-256': signature }) }
	return fetch(url, { method: 'POST', headers, body: new Blob([body]) })
}

const storedFor = ({ accountId }: TestAccount) =>
	app.context.db<{ body: string; why: string | null }[]>`
		select body, kept_because as why from webhook_deliveries where account_id = ${accountId} order by id
	`

test('the webhook handshake returns the challenge as plain text for the account’s verify token, and 403 otherwise', async () => {
	const { url, verifyToken } = await sender()
	const shake = (token: string, mode = 'subscribe', at = url) =>
		fetch(`${at}?hub.mode=${mode}&hub.verify_token=${token}&hub.challenge=1158201444`)
	const right = await shake(verifyToken)
	assert.equal(right.status, 200)
	assert.match(right.headers.get('content-type') ?? '', /^text\/plain/)
	assert.equal(await right.text(), '1158201444')
	assert.equal((await shake('wrong')).status, 403)
	assert.equal((await shake(verifyToken, 'unsubscribe')).status, 403)
	assert.equal((await shake(verifyToken, 'subscribe', `${url}x`)).status, 403)
	assert.equal((await fetch(url)).status, 403)
})

test('a signed webhook is stored byte for byte, and the workers are notified', async () => {
	const { shop, url, app_secret } = await sender()
	const notified: string[] = []
	const unlisten = await app.context.listener.listen('webhooks', (payload) => notified.push(payload))
	// Escaped unicode and unusual spacing, as Meta signs them: re-serialized, the body would differ.
	const body = '{"object":"whatsapp_business_account",  "entry":[{"id":"1","name":"J\\u00fcrgen"}] }'
	const answer = await post(url, body, sign(app_secret, body))
	assert.equal(answer.status, 200)
	await until(() => notified.length > 0)
	unlisten()
	assert.deepEqual([...(await storedFor(shop))], [{ body, why: null }])
	assert.deepEqual(notified, [String(shop.accountId)])
})

test('a webhook with a wrong, missing or foreign signature returns 401 and is not stored', async () => {
	const { shop, url, app_secret } = await sender()
	const other = await sender()
	const body = '{"entry":[]}'
	const right = sign(app_secret, body)
	const signatures = [
		undefined,
		'sha256=',
		right.slice(0, -1),
		right.slice(7),
		sign(other.app_secret, body),
		sign('', body),
	]
	for (const signature of signatures) assert.equal((await post(url, body, signature)).status, 401, signature ?? 'none')
	assert.equal((await post(url, `${body} `, right)).status, 401)
	assert.equal((await storedFor(shop)).length, 0)
})

/** Announces a signed body that is never sent, and returns the status of the answer. */
const statusOf = (url: string, signature?: string) =>
	statusBeforeBody(url, { bytes: 3_000_000, headers: signature ? { 'x-hub-signature-256': signature } : {} })

test('a webhook without a signature of the right form returns 401 before its body is read', async () => {
	const { url, app_secret } = await sender()
	const right = sign(app_secret, '{}')
	const malformed = [undefined, 'sha256=', right.slice(7), `${right}0`, right.toUpperCase(), `sha1=${right.slice(7)}`]
	await withApp(async () => {
		for (const address of [url, appAddress()])
			for (const signature of malformed) assert.equal(await statusOf(address, signature), 401, signature ?? 'none')
	})
})

test('a webhook address of no account returns 404', async () => {
	const { url } = await sender()
	for (const wrong of [`${url}x`, url.replace(/-.*$/, '-guess'), url.replace(/[^/]+$/, 'nonsense')]) {
		assert.equal((await post(wrong, '{}')).status, 404)
	}
	assert.equal(await statusOf(`${url}x`), 404)
})

test('a webhook that is not JSON becomes a dead letter and returns 200, so that Meta does not repeat it', async () => {
	const { shop, url, app_secret } = await sender()
	const bodies = ['not json', '', Uint8Array.of(0, 255, 128)]
	for (const body of bodies) assert.equal((await post(url, body, sign(app_secret, body))).status, 200)
	const stored = await storedFor(shop)
	assert.equal(stored.length, 3)
	assert.ok(stored.every((row) => row.why === 'not JSON'))
})

test('a webhook of 3 MB is stored, and one of 5 MB returns 413', async () => {
	const { shop, url, app_secret } = await sender()
	const batch = JSON.stringify({ entry: 'x'.repeat(3 * 1024 * 1024) })
	assert.equal((await post(url, batch, sign(app_secret, batch))).status, 200)
	assert.equal((await storedFor(shop))[0]?.body.length, batch.length)
	const flood = 'x'.repeat(5 * 1024 * 1024)
	assert.equal((await post(url, flood, sign(app_secret, flood))).status, 413)
})

test('webhooks of an account without an app secret are verified with META_APP_SECRET, and return 401 without it', async () => {
	const { shop, url } = await sender({ secret: false })
	const body = '{"entry":[]}'
	const { env } = app.context
	assert.equal((await post(url, body)).status, 401)
	env.META_APP_SECRET = 'deployment secret'
	assert.equal((await post(url, body, sign('deployment secret', body))).status, 200)
	env.ALLOW_UNSIGNED_WEBHOOKS = true
	assert.equal((await post(url, body)).status, 401)
	env.META_APP_SECRET = undefined
	assert.equal((await post(url, body)).status, 200)
	env.ALLOW_UNSIGNED_WEBHOOKS = false
	assert.equal((await storedFor(shop)).length, 2)
})

test('a signed webhook with too many levels, names or values returns 200 and becomes a dead letter unread', async () => {
	const { shop, url, app_secret } = await sender()
	const bodies = [
		`{"entry":${'['.repeat(1_900_000)}${']'.repeat(1_900_000)}}`,
		`{"entry":[${Array(1_300_000).fill('{}').join(',')}]}`,
		`{${Array.from({ length: 300_000 }, (_, index) => `"n${index}":1`).join(',')}}`,
	]
	for (const body of bodies) assert.equal((await post(url, body, sign(app_secret, body))).status, 200)
	const stored = await storedFor(shop)
	assert.deepEqual(
		stored.map(({ why }) => why),
		['nested too deeply', 'too many names or values', 'too many names or values'],
	)
})

const APP = { META_APP_SECRET: 'secret of the app', META_APP_VERIFY_TOKEN: 'token of the app' }
const appAddress = () => `${app.url}/api/webhooks/whatsapp/app`

/** Runs a test with the operator's app configured. */
async function withApp(check: () => Promise<void>): Promise<void> {
	Object.assign(app.context.env, APP)
	await check().finally(() =>
		Object.assign(app.context.env, { META_APP_SECRET: undefined, META_APP_VERIFY_TOKEN: undefined }),
	)
}

const countStored = async () => Number((await app.context.db`select count(*) as n from webhook_deliveries`)[0]?.['n'])
const strays = async () =>
	Number(/^webhook_changes_stray (\d+)/m.exec(await (await fetch(`${app.url}/metrics`)).text())?.[1])
const whole = (...changed: unknown[]) => [{ object: 'whatsapp_business_account', entry: changed }, null]

const postToApp = (entry: unknown[]) => {
	const body = JSON.stringify({ object: 'whatsapp_business_account', entry })
	return post(appAddress(), body, sign(APP.META_APP_SECRET, body))
}
const accountEvent = (value: object) => ({ field: 'account_update', value })
const message = (phone_number_id: string, id: string) => ({
	field: 'messages',
	value: {
		metadata: { phone_number_id },
		messages: [{ id, from: '919812345678', type: 'text', text: { body: 'Hi' } }],
	},
})

test('the address of the app is unknown without its configuration, and returns 403 and 401 for a wrong token and signature', async () => {
	const shake = (token: string) =>
		fetch(`${appAddress()}?hub.mode=subscribe&hub.verify_token=${token}&hub.challenge=77`)
	assert.equal((await shake(APP.META_APP_VERIFY_TOKEN)).status, 404)
	assert.equal((await post(appAddress(), '{}', sign(APP.META_APP_SECRET, '{}'))).status, 404)
	app.context.env.ALLOW_UNSIGNED_WEBHOOKS = true
	assert.equal((await post(appAddress(), '{}')).status, 404)
	await withApp(async () => {
		const right = await shake(encodeURIComponent(APP.META_APP_VERIFY_TOKEN))
		assert.deepEqual([right.status, await right.text()], [200, '77'])
		assert.equal((await shake('wrong')).status, 403)
		const signatures = [undefined, sign('other', '{}'), sign('', '{}'), sign(APP.META_APP_SECRET, '{ }')]
		for (const signature of signatures) assert.equal((await post(appAddress(), '{}', signature)).status, 401)
		const flood = 'x'.repeat(5 * 1024 * 1024)
		assert.equal((await post(appAddress(), flood, sign(APP.META_APP_SECRET, flood))).status, 413)
	})
	app.context.env.ALLOW_UNSIGNED_WEBHOOKS = false
})

test('the address of the app gives each change to the account of its number or WABA, and events of partners by the WABA they name', async () => {
	const [first, second] = [await sharedSender(), await sharedSender()]
	await withApp(async () => {
		const removed = accountEvent({ event: 'PARTNER_REMOVED', waba_info: { waba_id: second.waba_id } })
		const signed = accountEvent({ event: 'MM_LITE_TERMS_SIGNED', waba_info: { waba_id: first.waba_id } })
		const entry = [
			{ id: first.waba_id, changes: [message(first.phone_number_id, 'wamid.A1'), accountEvent({ event: 'X' })] },
			{ id: second.waba_id, changes: [message(second.phone_number_id, 'wamid.A2')] },
			// These entries name a portfolio. The second portfolio has the same id as a WABA, which must not matter.
			{ id: '900900900', changes: [removed] },
			{ id: second.waba_id, changes: [signed] },
		]
		assert.equal((await postToApp(entry)).status, 200)
		const of = async ({ shop }: typeof first) =>
			(await storedFor(shop)).map(({ body, why }) => [JSON.parse(body) as unknown, why])
		const [ofMessages, ofAccount] = [entry[0]?.changes.slice(0, 1), entry[0]?.changes.slice(1)]
		assert.deepEqual(
			(await of(first)).toSorted((a, b) => JSON.stringify(a).length - JSON.stringify(b).length),
			[
				whole({ id: first.waba_id, changes: ofMessages }),
				whole({ id: first.waba_id, changes: ofAccount }, { id: second.waba_id, changes: [signed] }),
			].toSorted((a, b) => JSON.stringify(a).length - JSON.stringify(b).length),
		)
		assert.equal((await storedFor(second.shop)).length, 2)
	})
})

test('the address of the app stores nothing of an unknown number, an unreadable body or an account with an app of its own', async () => {
	const own = await sharedSender({ secret: true })
	await withApp(async () => {
		const before = await countStored()
		const changes = [message('404404', 'wamid.X'), message(own.phone_number_id, 'wamid.Y'), { field: 'messages' }]
		assert.equal((await postToApp([{ id: '505505', changes }, { changes: [{ field: 'messages' }] }])).status, 200)
		for (const body of ['not json', '', '{"entry":1}', `${'['.repeat(9000)}${']'.repeat(9000)}`])
			assert.equal((await post(appAddress(), body, sign(APP.META_APP_SECRET, body))).status, 200)
		assert.equal(await countStored(), before)
		assert.equal(await strays(), 8)
	})
})

test('the credentials name the address to enter in the Meta app: the account’s own, that of the operator’s app, or none', async () => {
	const own = await sharedSender({ secret: true })
	const shared = await sharedSender()
	const shown = async ({ shop }: typeof own) =>
		(await app.call(whatsapp.credentials, { params: { userId: shop.userId } }, admin)).body.appWebhookUrl
	assert.equal(await shown(own), own.url)
	assert.equal(await shown(shared), null)
	await withApp(async () => {
		assert.equal(await shown(own), own.url)
		assert.equal(await shown(shared), appAddress())
	})
})
