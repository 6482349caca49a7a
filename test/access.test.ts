import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { after, before, suite, test } from 'node:test'
import { contract } from '#app/contract.ts'
import { createSegment } from '#features/audiences/server/segments/segments.ts'
import { createField, ensureTags } from '#features/contacts/server/fields/fields.ts'
import { createGroup } from '#features/contacts/server/groups/groups.ts'
import { addNote } from '#features/customers/server/service.ts'
import { Scope } from '#features/developer/contract.ts'
import { newSecret } from '#features/developer/server/webhooks/secrets.ts'
import { createSet } from '#features/header-files/server/service.ts'
import { insertFile } from '#features/header-files/server/sets/set-queries.ts'
import { insertSaved } from '#features/replies/server/saved-queries.ts'
import { postRecharge } from '#features/wallet/server/service.ts'
import { fillPath, type Endpoint } from '#lib/endpoint.ts'
import { transaction, type AccountId } from '#lib/server/db.ts'
import { apiKey, campaignRow, colleague, contact, template, type TestAccount } from './factories.ts'
import { startTestApp, statusBeforeBody, type TestApp } from './http-app.ts'
import { BODIES, describeAccess, endpoints, PERSONS, readAccess, type Person } from './readers/access.ts'

const written = readFileSync(new URL('../docs/access.md', import.meta.url), 'utf8')
const matrix = readAccess(written)
let app: TestApp
let people: Record<'admin' | 'user' | 'other', TestAccount>
/** A person of each seat in the account of `people.user`, and an admin. */
let persons: Record<Person, TestAccount>
/** An API key with every scope for each person. */
let keys: Record<'user' | 'other', { id: string; token: string }>
/** Ids of records of `other`: by feature for screens, by path for /v1. `userId` is the id of `other`. */
let others: Record<string, string>

before(async () => {
	// Online payments answer only with a provider. No server listens at port 9 (discard).
	const razorpay = { RAZORPAY_KEY_ID: 'key', RAZORPAY_KEY_SECRET: 'secret', RAZORPAY_WEBHOOK_SECRET: 'secret' }
	app = await startTestApp({ env: { ...razorpay, RAZORPAY_URL: 'http://127.0.0.1:9' } })
	const [admin, user, other] = [await app.signIn('admin'), await app.signIn('user'), await app.signIn('user')]
	people = { admin, user, other }
	persons = {
		admin,
		owner: user,
		manager: await colleague(app.context, user, 'manager'),
		'template-agent': await colleague(app.context, user, 'template-agent'),
		agent: await colleague(app.context, user, 'agent'),
	}
	keys = { user: await apiKey(app.context.db, user), other: await apiKey(app.context.db, other) }
	const note = { key: '919800000001', text: 'Theirs', userId: Number(other.userId) }
	others = {
		userId: other.userId,
		...(await templateWithHeader(other.accountId)),
		campaigns: String(await campaignRow(app.context.db, other.accountId)),
		colleagues: (await colleague(app.context, other, 'agent')).userId,
		wallet: await payment(other.accountId),
		payments: await onlinePayment(other),
		contacts: await contactId(other.accountId),
		contactGroups: await groupId(other.accountId),
		segments: await segmentId(other.accountId),
		contactTags: String((await ensureTags(app.context.db, other.accountId, { names: ['VIP'] })).get('vip')),
		customFields: String((await createField(app.context.db, other.accountId, { name: 'City', type: 'text' })).id),
		chats: await chatFile(other.accountId),
		headerFiles: await fileSet(other.accountId),
		customers: String((await addNote(app.context.db, other.accountId, note))._id),
		replies: await savedReply(other.accountId),
		developer: (await apiKey(app.context.db, other)).id,
		webhooks: await webhookId(other.accountId),
		'/v1/templates/{id}': String((await template(app.context.db, other.accountId)).id),
		'/v1/contacts/{id}': await contactId(other.accountId),
		'/v1/groups/{id}': await groupId(other.accountId),
		'/v1/messages/{id}': await messageId(other.accountId),
		...Object.fromEntries(
			await Promise.all(
				Object.values(contract.v1)
					.filter(({ path }) => path.startsWith('/v1/campaigns/{id}'))
					.map(async ({ path }) => [path, String(await campaignRow(app.context.db, other.accountId))] as const),
			),
		),
	}
})
after(() => app.close())

async function templateWithHeader(accountId: AccountId): Promise<{ templates: string; templateName: string }> {
	const { db, storage } = app.context
	const { id, name } = await template(db, accountId)
	await storage.put('1/header.png', Buffer.from('picture'))
	await db`update templates set header_file = '1/header.png' where account_id = ${accountId} and id = ${id}`
	return { templates: String(id), templateName: name }
}

/** Creates a set of header files with one file. Returns its id. */
async function fileSet(accountId: AccountId): Promise<string> {
	const { db, storage } = app.context
	const { id } = await createSet(db, accountId, 'DOCUMENT')
	const key = '1/person-files/report.pdf'
	await storage.put(key, Buffer.from('%PDF-1.4'))
	const file = { setId: id, name: 'report.pdf', stem: 'report', number: null, key, bytes: 8 }
	await insertFile(db, accountId, file)
	return String(id)
}

/** Adds a saved reply with the file of `templateWithHeader`, and an automatic reply with the same id. Returns that id. */
async function savedReply(accountId: AccountId): Promise<string> {
	const file = { key: '1/header.png', type: 'image/png', name: 'header.png', bytes: 7 }
	const { db } = app.context
	const { id } = await insertSaved(db, accountId, { shortcut: 'prices', text: '', file })
	await db`
		insert into automatic_replies (account_id, id, kind, text, monthly_limit) overriding system value
		values (${accountId}, ${id}, 'greeting', 'Welcome', 1)
	`
	return String(id)
}

/** Stores a recharge with a tax invoice, and a note of it with the same id. Returns that id. */
async function payment(accountId: AccountId): Promise<string> {
	const { db } = app.context
	const tax = { percent: 18, cgstPaise: 9, sgstPaise: 9, igstPaise: 0, sac: '998413', placeOfSupply: '' }
	const online = { method: null, paymentId: null, tax }
	await transaction(db, (sql) =>
		postRecharge(sql, accountId, { reference: 'recharge:access', amountPaise: 100, online }),
	)
	const [row] = await db<{ id: number }[]>`
		insert into tax_notes (
			account_id, id, reversal, entry_id, kind, reason, series, number,
			taxable_paise, cgst_paise, sgst_paise, igst_paise, rounding_paise
		)
		overriding system value
		select account_id, id, 'access', id, 'credit', 'access', '26-27', 1, 100, 9, 9, 0, 0
		from ledger_entries where account_id = ${accountId}
		returning id
	`
	return String(row?.id)
}

async function onlinePayment({ accountId, userId }: TestAccount): Promise<string> {
	const [row] = await app.context.db<{ id: number }[]>`
		insert into payments (account_id, reference, request_id, user_id, credit_paise, expires_at)
		values (${accountId}, 'access', 'access', ${userId}, 10000, now())
		returning id
	`
	return String(row?.id)
}

async function contactId(accountId: AccountId): Promise<string> {
	const { db } = app.context
	const { number } = await contact(db, accountId)
	const [row] = await db<
		{ id: number }[]
	>`select id from contacts where account_id = ${accountId} and number = ${number}`
	return String(row?.id)
}

async function groupId(accountId: AccountId): Promise<string> {
	const name = `Theirs ${randomUUID()}`
	const { id } = await createGroup(app.context.db, accountId, { name, type: 'national', description: null })
	return String(id)
}

async function segmentId(accountId: AccountId): Promise<string> {
	const rules = [{ kind: 'optedOut', is: false } as const]
	const { id } = await createSegment(app.context.db, accountId, { name: 'Theirs', match: 'all', rules })
	return String(id)
}

async function messageId(accountId: AccountId): Promise<string> {
	const { db } = app.context
	const campaign = await campaignRow(db, accountId)
	await db`
		insert into campaign_messages (account_id, campaign_id, seq, number) values (${accountId}, ${campaign}, 1, '919800000002')
	`
	return `${campaign}-1`
}

/** Stores a webhook and a delivery to it with the same id. Returns that id. */
async function webhookId(accountId: AccountId): Promise<string> {
	const { db, vault } = app.context
	const { encrypted } = newSecret(vault, accountId)
	const [row] = await db<{ id: number }[]>`
		insert into webhook_addresses (account_id, url, events, secret)
		values (${accountId}, 'https://shop.example/', '{wallet.low}', ${encrypted})
		returning id
	`
	const id = String(row?.id)
	await db`
		insert into event_deliveries (account_id, id, address_id, body, event_count) overriding system value
		values (${accountId}, ${id}, ${id}, '{}', 1)
	`
	return id
}

/** Returns the key in `others` for the record that a call's path names. */
function nameOfOther(name: string, { path }: Endpoint): string {
	if (path.startsWith('/v1/')) return path
	if (path.includes('{userId}')) return 'userId'
	return path.includes('{name}') ? 'templateName' : (name.split('.')[0] ?? '')
}

/** Stores a chat message with a file. Returns its id. */
async function chatFile(accountId: AccountId): Promise<string> {
	const { db, storage } = app.context
	await storage.put('1/chats/picture', Buffer.from('picture'))
	const [row] = await db<{ id: number }[]>`
		insert into chat_messages (account_id, chat, direction, kind, status, at, media_state, media_key)
		values (${accountId}, '919800000001', 'in', 'image', 'delivered', now(), 'ready', '1/chats/picture')
		returning id
	`
	return String(row?.id)
}

/**
 * Calls that return 200 for a number of another account: every account may chat with any number, and sees only its own
 * messages.
 */
const KEYED_BY_NUMBER = ['chats.messages', 'customers.get', 'customers.addNote']

/** Calls an endpoint with a valid id. The default body need not be valid: access is checked before the body. */
function attempt(
	endpoint: Endpoint,
	token?: string,
	{ id = '1', body }: { id?: string; body?: object } = {},
): Promise<Response> {
	const names = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')
	const path = fillPath(endpoint.path, Object.fromEntries(names.map((name) => [name, id])))
	// An empty form is read; a call that requires a file refuses it before it looks up the id.
	const form = new FormData()
	form.set('_', '')
	return fetch(app.url + path, {
		method: endpoint.method,
		headers: {
			...(token && { authorization: `Bearer ${token}` }),
			...(body && { 'content-type': 'application/json' }),
		},
		...(body && { body: JSON.stringify(body) }),
		...(endpoint.files && !body && { body: form }),
	})
}

test('docs/access.md equals the access of the contracts', () => {
	assert.equal(written, describeAccess(), 'Run npm run access, and commit docs/access.md.')
})

suite('every endpoint of the contract', () => {
	test('calls that need a session or key return 401 before their body is read, and public ones 413 for a large one', async () => {
		for (const { name, endpoint } of endpoints.filter(({ endpoint: { method } }) => method !== 'GET'))
			for (const type of ['application/json', 'multipart/form-data; boundary=b']) {
				const isPublic = endpoint.access === 'public'
				if (isPublic && type !== 'application/json') continue
				const url = app.url + endpoint.path.replaceAll(/\{\w+\}/g, '1')
				const announced = { method: endpoint.method, bytes: 15_000_000, headers: { 'content-type': type } }
				assert.equal(await statusBeforeBody(url, announced), isPublic ? 413 : 401, `${name}, ${type}`)
			}
	})
	for (const { name, endpoint } of endpoints) {
		if (endpoint.access !== 'public') {
			test(`${name} returns 401 without a token and with an unknown one`, async () => {
				const refused = await attempt(endpoint)
				assert.equal(refused.status, 401)
				assert.equal(refused.headers.get('cache-control'), 'no-store')
				assert.equal((await attempt(endpoint, 'made-up')).status, 401)
			})
			test(`${name} returns 401 to ${endpoint.access === 'key' ? 'a session' : 'an API key'}`, async () => {
				const { token } = endpoint.access === 'key' ? people.user : keys.user
				assert.equal((await attempt(endpoint, token)).status, 401)
			})
		}
		if (endpoint.access === 'key') {
			test(`${name} returns 403 to a key with every scope except the one it requires and the wider one`, async () => {
				const { scope, widerScope } = endpoint
				const scopes = Scope.options.filter((one) => one !== scope && one !== widerScope)
				assert.equal(scopes.length, Scope.options.length - (widerScope === undefined ? 1 : 2))
				const { token } = await apiKey(app.context.db, people.user, scopes)
				assert.equal((await attempt(endpoint, token)).status, 403)
			})
		}
		const allowed = matrix.get(name) ?? new Set()
		if (endpoint.access !== 'public' && endpoint.access !== 'key' && allowed.size < PERSONS.length) {
			test(`${name} returns 403 exactly to the persons without a tick in docs/access.md`, async () => {
				for (const person of PERSONS) {
					// The calls of an owner or admin alone change what the tests below need.
					if (allowed.has(person) && (person === 'owner' || person === 'admin')) continue
					const { status } = await attempt(endpoint, persons[person].token)
					assert.equal(status === 403, !allowed.has(person), `${person}: ${status}`)
				}
			})
		}
		if (/\{\w+\}/.test(endpoint.path) && endpoint.access !== 'admin' && !KEYED_BY_NUMBER.includes(name)) {
			test(`${name} returns 404 for an id of another account, and another status for an id of its own`, async () => {
				const id = others[nameOfOther(name, endpoint)]
				assert.ok(id, `this test has nothing to ask ${name} for: add it to "others"`)
				const given = { id, ...(BODIES[name] && { body: BODIES[name] }) }
				// The call of the other account comes first, because a call of the record's own account may delete it.
				const { user, other } = endpoint.access === 'key' ? keys : people
				assert.equal((await attempt(endpoint, user.token, given)).status, 404)
				assert.notEqual((await attempt(endpoint, other.token, given)).status, 404)
			})
		}
	}
})
