import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listUsedFiles } from '#features/chats/server/retention-queries.ts'
import type { TestAccount } from '#test/factories.ts'
import { launchTestApp } from '#test/http-app.ts'
import { replies } from '../contract.ts'
import { MAX_SAVED_REPLIES } from '../rules.ts'

const app = await launchTestApp()
const person = await app.signIn('user')

const PDF = Buffer.from('%PDF-1.4 price list')
const pdf = (content = PDF) => new File([new Uint8Array(content)], 'price list.pdf', { type: 'application/pdf' })
const add = (shortcut: string, text: string, { as = person, file }: { as?: TestAccount; file?: File } = {}) =>
	app.call(replies.addSaved, { body: { shortcut, text }, files: file ? { file } : {} }, as)
const list = async (as = person) => (await app.call(replies.saved, {}, as)).body.replies
const keysOf = async (accountId = person.accountId) => {
	const rows = await app.context.db<{ key: string | null }[]>`
		select file_key as key from saved_replies where account_id = ${accountId}
	`
	return rows.flatMap(({ key }) => key ?? [])
}

test('replies.addSaved stores a name in lower case without its slash, and lists replies by name for their account only', async () => {
	const shop = await app.signIn('user')
	assert.equal((await add('/Thanks', ' Thank you, {{customerName}} ', { as: shop })).status, 200)
	await add('bank-details', 'Account 12345', { as: shop })
	const found = await list(shop)
	assert.deepEqual(
		found.map(({ shortcut, text, file }) => [shortcut, text, file]),
		[
			['bank-details', 'Account 12345', null],
			['thanks', 'Thank you, {{customerName}}', null],
		],
	)
	assert.deepEqual(await list(await app.signIn('user')), [])
})

test('replies.addSaved refuses bad names, unknown variables, empty replies, other files and too long captions at their field', async () => {
	const refusal = async (shortcut: string, text: string, file?: File) => {
		const { status, body } = await add(shortcut, text, file ? { file } : {})
		return [status, ...Object.keys((body as unknown as { fields?: object }).fields ?? {})]
	}
	assert.deepEqual(await refusal('two words', 'Hello'), [400, 'shortcut'])
	assert.deepEqual(await refusal('/', 'Hello'), [400, 'shortcut'])
	assert.deepEqual(await refusal('x'.repeat(31), 'Hello'), [400, 'shortcut'])
	assert.deepEqual(await refusal('hello', 'Hello {{name}}'), [400, 'text'])
	assert.deepEqual(await refusal('hello', '  '), [400, 'text'])
	assert.deepEqual(await refusal('hello', 'x'.repeat(4097)), [400, 'text'])
	assert.deepEqual(await refusal('hello', 'x'.repeat(1025), pdf()), [400, 'text'])
	const page = new File(['<script>'], 'a.pdf', { type: 'application/pdf' })
	assert.equal((await add('hello', 'Hello', { file: page })).status, 400)
	assert.deepEqual(await list(), [])
})

test('two additions of one name at once store one, and MAX_SAVED_REPLIES is the most', async () => {
	const shop = await app.signIn('user')
	const both = await Promise.all([add('same', 'One', { as: shop }), add('SAME', 'Two', { as: shop })])
	assert.deepEqual(
		both.map(({ status }) => status).toSorted((a, b) => a - b),
		[200, 409],
	)
	await app.context.db`
		insert into saved_replies (account_id, shortcut, text)
		select ${shop.accountId}, 'n' || n, 'Text' from generate_series(3, ${MAX_SAVED_REPLIES}) n
	`
	const last = await Promise.all(['a', 'b', 'c'].map((name) => add(name, 'Text', { as: shop })))
	assert.deepEqual(
		last.map(({ status }) => status).toSorted((a, b) => a - b),
		[200, 409, 409],
	)
	assert.equal((await list(shop)).length, MAX_SAVED_REPLIES)
})

test('a change keeps, replaces or removes the file of a reply, and only its account downloads it', async () => {
	const { body } = await add('prices', '', { file: pdf() })
	const { _id: id, file } = body.reply
	assert.deepEqual(file, { name: 'price list.pdf', type: 'application/pdf', bytes: PDF.length })
	const [first = ''] = await keysOf()
	const change = (
		keepsFile: 'true' | 'false',
		{ file: added, text = 'Our prices' }: { file?: File; text?: string } = {},
	) =>
		app.call(
			replies.changeSaved,
			{ params: { id }, body: { shortcut: 'prices', text, keepsFile }, files: added ? { file: added } : {} },
			person,
		)
	await change('true')
	assert.deepEqual(await keysOf(), [first])
	assert.deepEqual(await listUsedFiles(app.context.db, person.accountId, [first, 'other']), [{ key: first }])

	const download = (as: TestAccount) =>
		fetch(`${app.url}/api/replies/saved/${id}/file`, { headers: { authorization: `Bearer ${as.token}` } })
	const answer = await download(person)
	assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'application/pdf'])
	assert.match(answer.headers.get('content-disposition') ?? '', /^attachment/)
	assert.deepEqual(Buffer.from(await answer.arrayBuffer()), PDF)
	assert.equal((await download(await app.signIn('user'))).status, 404)

	await change('false', { file: pdf(Buffer.from('%PDF-1.4 new')) })
	const [second = ''] = await keysOf()
	assert.notEqual(second, first)
	assert.equal((await change('false', { text: '' })).status, 400)
	assert.deepEqual(await keysOf(), [second])
	await change('false')
	assert.deepEqual(await keysOf(), [])
	assert.equal((await download(person)).status, 404)
})

test('replies.changeSaved and removeSaved leave a name that another reply has, and replies of other accounts', async () => {
	const shop = await app.signIn('user')
	await add('taken', 'One', { as: shop })
	const { body } = await add('mine', 'Two', { as: shop })
	const params = { id: body.reply._id }
	const rename = (shortcut: string, as = shop) =>
		app.call(replies.changeSaved, { params, body: { shortcut, text: 'Two' } }, as)
	assert.equal((await rename('Taken')).status, 409)
	assert.equal((await rename('mine')).status, 200)
	assert.equal((await rename('other', person)).status, 404)
	assert.equal((await app.call(replies.removeSaved, { params }, person)).status, 404)
	assert.equal((await app.call(replies.removeSaved, { params }, shop)).status, 200)
	assert.deepEqual(
		(await list(shop)).map(({ shortcut }) => shortcut),
		['taken'],
	)
})
