import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { auth } from '#features/auth/contract.ts'
import { campaignReports } from '#features/campaigns/report-contract.ts'
import { privacy } from '#features/privacy/contract.ts'
import { users } from '#features/users/contract.ts'
import { numberCell } from '#lib/files/csv.ts'
import { account, colleague, type TestAccount } from '#test/factories.ts'
import { launchProduct, startCampaign } from '#test/full-stack.ts'
import { call } from '#test/http-app.ts'
import { mailsTo } from '#test/readers/outbox.ts'
import { unzip } from '#test/readers/unzip.ts'
import { erasureScene } from '#test/scenes/erasure-scene.ts'
import { until } from '#test/until.ts'
import { exportAccount } from './export-account.ts'
import { LISTS } from './exported-lists.ts'
import { PROFILE } from './exported-profile.ts'

const product = await launchProduct()
const db = product.db
const scene = erasureScene(product)
const admin = await account(product.process.context, { role: 'admin' })
const { sender: shop, campaignId } = await scene.knownPerson()
await db`insert into contact_groups (account_id, name) values (${shop.accountId}, '=Orchid friends')`
await db`
	insert into automatic_replies (account_id, kind, phrases, text, monthly_limit)
	values (${shop.accountId}, 'keyword', '{price}', 'An orchid costs 80', 500)
`

const download = ({ userId }: TestAccount, token = shop.token) =>
	call(product.process.url, privacy.account, { params: { userId }, token })
const filesOf = async (answer: { status: number; body: unknown }) => {
	assert.equal(answer.status, 200)
	return unzip(Buffer.from(await (answer.body as Blob).arrayBuffer()))
}

test('privacy.account returns all files that its README names, with the account’s data in each', async () => {
	const { email } = await colleague(product.process.context, shop, 'agent')
	await db`
		insert into chat_messages (account_id, chat, direction, kind, status, body, at, author_id)
		values (${shop.accountId}, ${shop.number}, 'out', 'text', 'sent', '{"text": "In two days"}', now(), ${shop.userId})
	`
	const params = { id: String(campaignId) }
	await call(product.process.url, campaignReports.exportCsv, { params, token: shop.token })
	const files = await filesOf(await download(shop))
	const named = (files['README.txt'] ?? '')
		.split('\n')
		.flatMap((line) => /^([\w-]+(?:\.\w+|\/)): /.exec(line)?.[1] ?? [])
	const paths = Object.keys(files)
	for (const name of named)
		assert.ok(
			paths.some((path) => path.startsWith(name)),
			name,
		)
	assert.deepEqual(
		paths.filter((path) => !named.some((name) => path.startsWith(name))),
		['README.txt'],
	)
	const name = scene.nameOf(shop.number)
	const held: Record<string, string[]> = {
		'contacts.csv': [name, numberCell(shop.number), 'Contact 0'],
		'groups.csv': [`'=Orchid friends`],
		'opt-outs.csv': [`${numberCell(shop.number)},yes,manual`],
		'opt-out-changes.csv': [`${numberCell(shop.number)},yes,manual`],
		'templates.json': ['"name":"hello"', 'welcome!'],
		'campaigns.csv': [String(campaignId), `Mr ${name}`, shop.name],
		[`campaigns/${campaignId}.csv`]: [numberCell(shop.number), 'Contact 1'],
		'statement.csv': ['Recharge'],
		'automatic-replies.csv': ['An orchid costs 80'],
		'chats.csv': [numberCell(shop.number)],
		'chat-messages.csv': [`Where is my ${scene.xylophoneOf(shop)}?`, 'files/chats/', `,out,${shop.name},`],
		'notifications.csv': ['Welcome!'],
		'receipts.csv': [shop.email],
		'people.csv': [`${email},agent`],
		'activity.csv': ['recipients-exported'],
		'profile.json': [shop.email, shop.credentials.waba_id],
	}
	for (const [path, texts] of Object.entries(held))
		for (const text of texts) assert.ok(files[path]?.includes(text), `${path}: ${text}`)
	assert.deepEqual(Object.keys(JSON.parse(files['profile.json'] ?? '') as object), Object.keys(PROFILE))
	assert.equal((JSON.parse(files['templates.json'] ?? '') as object[]).length, 1)
	const picture = paths.find((path) => path.startsWith('files/chats/'))
	assert.ok(files['chat-messages.csv']?.includes(String(picture)))
	assert.match(String(picture), /\.(?:jpg|png|webp)$/)
	const secrets = await db<{ key: string; token: string }[]>`
		select webhook_key as key, verify_token as token from senders where account_id = ${shop.accountId}
	`
	for (const text of [secrets[0]?.key ?? '', secrets[0]?.token ?? '', shop.credentials.access_token])
		assert.ok(!Object.values(files).some((file) => file.includes(text)))
})

test('privacy.account lists a campaign’s control group in a separate file', async () => {
	const { sender } = await scene.knownPerson()
	const kept = await startCampaign(product, sender, { holdOutPercent: 50 })
	const [row] = await db<{ number: string }[]>`select number from campaign_held_out where campaign_id = ${kept}`
	const files = await filesOf(await download(sender, sender.token))
	assert.equal(files[`campaigns/${kept}-held-out.csv`]?.split('\r\n')[1], numberCell(row?.number ?? ''))
})

test('privacy.account returns each row of lists longer than one batch', async () => {
	const person = await account(product.process.context)
	await db`
		insert into opt_outs (account_id, number, is_opted_out, because, changed_at, said_at)
		select ${person.accountId}, '9198' || n, true, 'manual', now(), now() from generate_series(10000000, 10000600) n
	`
	await db`
		insert into chat_messages (account_id, chat, direction, kind, status, body, at, author_id)
		select ${person.accountId}, '919800000001', 'out', 'text', 'sent', jsonb_build_object('text', 'note ' || n), now(), ${person.userId}
		from generate_series(1, 500) n
	`
	const files = await filesOf(await download(person, person.token))
	const optOuts = files['opt-outs.csv']?.match(/^\(\+91\) 98[\d ]+,yes/gm)
	assert.deepEqual([optOuts?.length, new Set(optOuts).size], [601, 601])
	assert.equal(new Set(files['chat-messages.csv']?.match(/note \d+/g)).size, 500)
	assert.ok(!files['chat-messages.csv']?.includes(person.name), 'the account never had a colleague')
})

test('privacy.account serves only the account’s own user, and privacy.deletedAccount only an admin with a password for a deleted account', async () => {
	const { url } = product.process
	const person = await account(product.process.context)
	const byAdmin = (body: object) =>
		call(url, privacy.deletedAccount, { params: { userId: person.userId }, body, token: admin.token })
	const proved = { currentPassword: admin.password }
	assert.equal((await download(shop, person.token)).status, 404)
	assert.equal((await download(shop, admin.token)).status, 403)
	const alive = await byAdmin(proved)
	assert.deepEqual([alive.status, /Only the owner/.test(alive.body.message ?? '')], [403, true])
	assert.equal((await call(url, users.remove, { params: { id: person.userId }, token: admin.token })).status, 200)
	assert.equal((await download(person, admin.token)).status, 403)
	for (const body of [{}, { currentPassword: 'wrong' }]) assert.equal((await byAdmin(body)).status, 400)
	assert.ok((await filesOf(await byAdmin(proved)))['profile.json']?.includes(person.email))
	const trail = await call(url, auth.adminActions, {
		query: { search: 'Downloaded all', page: 1, limit: 10 },
		token: admin.token,
	})
	assert.deepEqual(
		trail.body.actions.slice(0, 1).map(({ actor, subject }) => [actor.email, subject?.email]),
		[[admin.email, person.email]],
	)
	await until(async () =>
		(await mailsTo(product.process.context, person.email)).some((mail) =>
			/your deleted account was downloaded/.test(mail),
		),
	)
	await download(shop)
	const { activity } = (await call(url, auth.activity, { token: shop.token })).body
	assert.ok(activity.some(({ kind }) => kind === 'data-downloaded'))
})

test('privacy.account returns 429 during a download of the account, and works again after that was aborted', async () => {
	const person = await account(product.process.context)
	const { storage } = product.process.context
	await storage.put(`${person.accountId}/chats/film`, Buffer.alloc(32 * 1024 * 1024, 7))
	const url = `${product.process.url}/api/privacy/account/${person.userId}`
	const first = new AbortController()
	const slow = await fetch(url, { headers: { authorization: `Bearer ${person.token}` }, signal: first.signal })
	assert.equal(slow.status, 200)
	const refused = await download(person, person.token)
	assert.equal(refused.status, 429)
	assert.match(refused.body.message ?? '', /is being downloaded already/)
	first.abort()
	await until(async () => (await download(person, person.token)).status === 200)
})

test('exportAccount aborts when a file cannot be read, so that a part is not mistaken for the whole', async () => {
	const { storage } = product.process.context
	const failing = {
		...storage,
		read: () =>
			Readable.from(
				(function* () {
					yield Buffer.from('a')
					throw new Error('the store is down')
				})(),
			),
	}
	await assert.rejects(
		buffer(exportAccount({ ...product.process.context, storage: failing }, shop.accountId)),
		/the store is down/,
	)
})

/** Tables of accounts that the export omits, with the reason. */
const NOT_EXPORTED: Record<string, string> = {
	api_key_days: 'totals of the statement',
	api_keys: 'useless without the secrets, which are not stored',
	test_campaigns: 'orders of test keys, retained for a day',
	test_messages: 'orders of test keys, retained for a day',
	api_requests: 'hashes, retained for a day',
	account_storage: 'sum of the file sizes',
	campaign_blocks: 'totals of recipients',
	campaign_clicks: 'campaigns/',
	campaign_failures: 'totals of recipients',
	campaign_held_out: 'campaigns/',
	campaign_messages: 'campaigns/',
	campaign_minutes: 'totals of recipients',
	campaign_replies: 'campaigns/',
	chat_marks: 'chat-messages.csv',
	chat_messages: 'chat-messages.csv',
	consents: 'contacts.csv',
	contact_counts: 'totals of contacts',
	contact_fields: 'contacts.csv',
	contact_tags: 'contacts.csv',
	contact_values: 'contacts.csv',
	contacts: 'contacts.csv',
	daily_totals: 'totals of the statement and of recipients',
	erasure_keys: 'a secret',
	event_deliveries: 'events that the account’s own systems have received',
	former_numbers: 'lookup for late status updates',
	header_file_sets: 'header-files.csv',
	header_media: 'ids at Meta',
	refused_addresses: 'digests of addresses',
	ledger_entries: 'statement.csv',
	market_prices: 'profile.json',
	message_claims: 'work in progress',
	message_references: 'read by /v1/messages',
	portfolio_messages: 'hashes of numbers, deleted a day after the last message',
	push_devices: 'keys of browsers',
	reply_charges: 'prices in the files of chat messages',
	reply_checks: 'work in progress',
	statement_lines: 'statement.csv',
	template_creations: 'work in progress',
	template_links: 'templates.json',
	uncounted_accounts: 'work in progress',
	template_routes: 'choices of the engine',
	template_syncs: 'times of calls to Meta',
	unmatched_reports: 'work in progress',
	unsettled_messages: 'work in progress',
	usage_checks: 'counts of messages by what WhatsApp charges the operator',
	usage_days: 'counts of messages by what WhatsApp charges the operator',
	waiting_refunds: 'statement.csv, after the decision',
	waiting_events: 'work in progress',
	webhook_addresses: 'contains a secret, and is useless elsewhere',
	webhook_deliveries: 'work in progress',
	webhook_totals: 'times of calls from Meta',
}

test('each table with rows of an account is either exported or omitted for a reason', async () => {
	const rows = await db<{ table: string }[]>`
		select c.table_name as table from information_schema.columns c
		join pg_class t on t.oid = format('public.%I', c.table_name)::regclass and not t.relispartition
		where c.table_schema = 'public' and c.column_name = 'account_id'
	`
	const exported = new Set([...LISTS, ...Object.values(PROFILE)].map(({ table }) => table))
	assert.deepEqual(rows.map(({ table }) => table).toSorted(), [...exported, ...Object.keys(NOT_EXPORTED)].toSorted())
})
