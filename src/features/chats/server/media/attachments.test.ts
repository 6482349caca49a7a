import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chats } from '#features/chats/contract.ts'
import { notifications } from '#features/notifications/contract.ts'
import { launchProduct, sendingAccount } from '#test/full-stack.ts'
import { call } from '#test/http-app.ts'
import { until } from '#test/until.ts'

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const NUMBER = '919800012345'

const product = await launchProduct({ env: { ACCOUNT_STORAGE_MB: '2' } })
const sender = await sendingAccount(product, { contacts: 0, balancePaise: 1000 })

const write = (message: object) =>
	product.simulator.control.sendInbound({
		phone_number_id: sender.credentials.phone_number_id,
		from: NUMBER,
		...message,
	})
const messages = async () =>
	(await call(product.process.url, chats.messages, { params: { number: NUMBER }, token: sender.token })).body.messages
const setBytes = (bytes: number) => product.db`
	insert into account_storage as s (account_id, bytes) select ${sender.accountId}, ${bytes}::bigint
	on conflict (account_id) do update set bytes = excluded.bytes
`

const sendFile = (bytes: Buffer, name: string, type: string) =>
	call(product.process.url, chats.send, {
		body: { number: NUMBER, message: '' },
		files: { media: new File([new Uint8Array(bytes)], name, { type }) },
		token: sender.token,
	})
const sendPicture = (bytes: number) => sendFile(Buffer.concat([PNG, Buffer.alloc(bytes)]), 'a.png', 'image/png')

test('chats.send returns 413 and sends nothing when the attachment exceeds the account’s storage', async () => {
	await write({ content: { body: 'Hello' } })
	await until(async () => (await messages()).length === 1)
	const refused = await sendPicture(2 * 1024 * 1024)
	assert.equal(refused.status, 413)
	assert.match(refused.body.message ?? '', /your account may keep 2 MB of files.*ask your administrator/)
	assert.equal((await messages()).length, 1)
	assert.equal((await sendPicture(1024)).status, 200)
})

test('a customer’s picture to a full account is postponed for an hour with a notification, and fetched when there is room', async () => {
	await setBytes(2 * 1024 * 1024)
	const { id } = await write({ type: 'image' })
	const row = async () => {
		const [found] = await product.db<{ state: string; waits: number; attempts: number }[]>`
			select m.media_state as state, extract(epoch from j.due_at - now())::float8 as waits, j.attempts
			from chat_messages m left join jobs j on j.owner_id = m.account_id and j.data ->> 'id' = m.id::text
			where m.account_id = ${sender.accountId} and m.wamid = ${id}
		`
		return found
	}
	await until(async () => ((await row())?.waits ?? 0) > 3500)
	const found = await row()
	assert.deepEqual([found?.state, found?.attempts], ['fetching', 1])
	const { body } = await call(product.process.url, notifications.list, { query: { page: 1 }, token: sender.token })
	assert.match(body.notifications[0]?.text ?? '', /storage is full.*within seven days/)
	await setBytes(0)
	await product.db`update jobs set due_at = now() where owner_id = ${sender.accountId}`
	await until(async () => (await row())?.state === 'ready')
})

test('chats.send sends an attachment with the type of its bytes and its own name', async () => {
	await setBytes(0)
	await write({ content: { body: 'Send me the list' } })
	await until(async () => (await messages()).some(({ text }) => text === 'Send me the list'))
	const jpeg = await sendFile(Buffer.from('ffd8ffe000104a464946', 'hex'), 'a.jpg', 'image/jpg')
	assert.deepEqual([jpeg.status, jpeg.body.newMessage.mediaType], [200, 'image/jpeg'])
	for (const [given, name] of [
		['Rate "List".pdf', 'Rate "List".pdf'],
		['मूल्य सूची.pdf', 'मूल्य सूची.pdf'],
		[`${'a'.repeat(300)}.pdf`, `${'a'.repeat(196)}.pdf`],
	] as const) {
		const { status, body } = await sendFile(Buffer.from('%PDF-1.4'), given, 'text/html')
		assert.deepEqual([status, body.newMessage.mediaName, body.newMessage.mediaType], [200, name, 'application/pdf'])
	}
})
