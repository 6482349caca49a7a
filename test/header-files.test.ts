import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { campaigns } from '#features/campaigns/contract.ts'
import { campaignPreflight } from '#features/campaigns/preflight-contract.ts'
import { chats } from '#features/chats/contract.ts'
import { OWN_ERRORS } from '#features/delivery/rules.ts'
import { deleteUnneeded } from '#features/header-files/server/upload/clean-up.ts'
import { getWallet } from '#features/wallet/server/ledger.ts'
import { startProductChild } from './child-process.ts'
import { apiKey } from './factories.ts'
import {
	byNumber,
	documentsOf,
	hashOf,
	newSender,
	numbersOf,
	order,
	pdf,
	setOpening,
	throughOf,
	upload,
	type FileSender,
} from './file-scene.ts'
import { findFreePort } from './free-port.ts'
import { campaignWhen, LATER, launchProduct, moneyFindings } from './full-stack.ts'
import { call } from './http-app.ts'
import { fileOf } from './scenes/template-tests.ts'
import { trustedCertificate } from './servers/certificate.ts'
import { until } from './until.ts'

/** Number of people; `HEADER_FILES=10000` tries the largest campaign. */
const PEOPLE = Number(process.env.HEADER_FILES ?? 240)
const KILLS = 3

const port = await findFreePort()
const product = await launchProduct({ env: { ROLE: 'http', ALLOW_PRIVATE_TARGETS: '1' } })
const own = { PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}` }
const env = { ...product.env, ...own, ROLE: 'all', UNKNOWN_AFTER: '4' }
let child: ChildProcess | null = null

test(`each of ${PEOPLE} people gets their own file once, or a failed message, though the worker is killed ${KILLS} times while files are uploaded`, async () => {
	const sender = await newSender(product, PEOPLE)
	const numbers = await numbersOf(product, sender)
	const files = numbers.map((number, at): [string, Buffer] => [`रिपोर्ट ${number}.pdf`, pdf(`report of ${at}`)])
	const set = await upload(product, sender, files)
	const campaignId = await order(product, sender, { choice: byNumber(set) })
	for (let kill = 1; kill <= KILLS; kill++) {
		child = await startProductChild(env)
		await until(async () => (await throughOf(product, sender, campaignId)) >= (PEOPLE * kill) / (KILLS + 2), 600_000)
		child.kill('SIGKILL')
		await once(child, 'exit')
	}
	child = await startProductChild(env)
	await campaignWhen(product, { ...sender, campaignId }, (campaign) => campaign.status === 'completed')
	const [failed] = await product.db<{ count: number; codes: number[] }[]>`
		select count(*) as count, coalesce(array_agg(distinct error_code), '{}') as codes from campaign_messages
		where account_id = ${sender.accountId} and campaign_id = ${campaignId} and status = 'failed'
	`
	const received = await product.simulator.control.receivedCounts()
	for (const [at, number] of numbers.entries()) {
		const expected = received[number] ? [`${hashOf(files[at]?.[1] ?? pdf(''))} ${files[at]?.[0]}`] : []
		if (PEOPLE <= 1000 || at % 100 === 0) assert.deepEqual(await documentsOf(product, sender, number), expected)
		assert.ok((received[number] ?? 0) <= 1, 'no person got it twice')
	}
	const missing = numbers.filter((number) => !received[number]).length
	assert.ok(missing < PEOPLE / 2, `${missing} of ${PEOPLE} people got no file`)
	assert.equal(failed?.count ?? 0, missing, 'a message that was not received has failed')
	assert.deepEqual(failed?.codes.filter((code) => code !== OWN_ERRORS.unconfirmed.code) ?? [], [])
	assert.deepEqual(await moneyFindings(product.db), [])
})

/** Returns the name, the state and the content of the file that the chat with a number shows. */
async function fileInChat({ token }: FileSender, number: string) {
	const { url } = product.process
	const { body } = await call(url, chats.messages, { params: { number }, token })
	const { mediaName, mediaState, mediaUrl } = body.messages[0] ?? {}
	const headers = { authorization: `Bearer ${token}` }
	return [mediaName, mediaState, mediaUrl ? await (await fetch(url + mediaUrl, { headers })).text() : null]
}

test('the estimate counts matched, missing, doubtful, shared and unused files, and the order leaves out or sends the campaign’s file', async () => {
	const sender = await newSender(product, 5)
	const [first = '', second = '', third = '', fourth = '', fifth = ''] = await numbersOf(product, sender)
	const set = await upload(product, sender, [
		[`${first}.pdf`, pdf('1')],
		[`a ${second}.pdf`, pdf('2')],
		[`b ${third}.pdf`, pdf('3')],
		[`c ${third}.pdf`, pdf('other')],
		['stranger 9999999999.pdf', pdf('5')],
	])
	const { url } = product.process
	const estimate = async (choice: ReturnType<typeof byNumber>) =>
		(
			await call(url, campaignPreflight.estimate, {
				body: { audienceType: 'all', templateId: sender.templateId, variables: { var1: 'you' }, headerFiles: choice },
				token: sender.token,
			})
		).body
	const { files, recipients } = await estimate(byNumber(set))
	assert.deepEqual(
		[files?.people, files?.matched, files?.missing, files?.doubtful, files?.shared, files?.unused, recipients],
		[5, 2, 3, 1, 0, 3, 2],
	)
	assert.deepEqual(
		files?.rows.map(({ number, state, file }) => [number, state, file?.name]),
		[
			[first, 'matched', `${first}.pdf`],
			[second, 'matched', `a ${second}.pdf`],
			[third, 'doubtful', undefined],
			[fourth, 'missing', undefined],
			[fifth, 'missing', undefined],
		],
	)
	assert.equal((await estimate(byNumber(set, 'campaign-file'))).recipients, 5)
	const campaignId = await order(product, sender, { choice: byNumber(set, 'campaign-file') })
	await campaignWhen(product, { ...sender, campaignId }, (campaign) => campaign.status === 'completed')
	assert.deepEqual(await documentsOf(product, sender, first), [`${hashOf(pdf('1'))} ${first}.pdf`])
	assert.deepEqual(await documentsOf(product, sender, third), [`${hashOf(pdf('sample'))} sample.pdf`])
	assert.deepEqual(await fileInChat(sender, first), [`${first}.pdf`, 'ready', '%PDF-1.4 1'])
	assert.deepEqual(await fileInChat(sender, third), ['sample.pdf', 'ready', '%PDF-1.4 sample'])
	await product.db`delete from header_files where account_id = ${sender.accountId} and number = ${first}`
	assert.deepEqual(await fileInChat(sender, first), [`${first}.pdf`, 'unavailable', null])
	await product.db`update header_media set uploaded_at = now() - interval '2 hours' where account_id = ${sender.accountId}`
	await campaignWhen(product, { ...sender, campaignId }, ({ sent }) => sent === 0)
	const { db, cloudApi, vault, log } = product.process.context
	assert.equal(await deleteUnneeded({ db, cloudApi, vault, log }), 2)
	assert.deepEqual(await moneyFindings(product.db), [])
})

test('a file that Meta refuses fails its message alone and releases its price', async () => {
	const sender = await newSender(product, 3)
	const numbers = await numbersOf(product, sender)
	const set = await upload(
		product,
		sender,
		numbers.map((number): [string, Buffer] => [`${number}.pdf`, pdf(number)]),
	)
	const { phone_number_id } = sender.credentials
	await product.simulator.control.addFault({ call: 'media', phone_number_id, kind: 'error', code: 131053, times: 1 })
	const campaignId = await order(product, sender, { choice: byNumber(set), ...LATER })
	await setOpening(product, { ...sender, campaignId }, '5 minutes')
	await campaignWhen(product, { ...sender, campaignId }, ({ failed }) => failed === 1)
	await setOpening(product, { ...sender, campaignId }, '0 minutes')
	const done = await campaignWhen(product, { ...sender, campaignId }, ({ status }) => status === 'completed')
	assert.equal(done.failed, 1)
	const [message] = await product.db<{ code: number }[]>`
		select error_code as code from campaign_messages
		where account_id = ${sender.accountId} and campaign_id = ${campaignId} and status = 'failed'
	`
	assert.equal(message?.code, OWN_ERRORS.notUploaded.code)
	assert.deepEqual(await getWallet(product.db, sender.accountId), { availablePaise: 100, heldPaise: 0 })
	assert.deepEqual(await moneyFindings(product.db), [])
})

test('a campaign pauses when the files of the first twenty people fail, and sends the others once it is resumed', async () => {
	const sender = await newSender(product, 22)
	const numbers = await numbersOf(product, sender)
	const set = await upload(
		product,
		sender,
		numbers.map((number): [string, Buffer] => [`${number}.pdf`, pdf(number)]),
	)
	const { phone_number_id } = sender.credentials
	await product.simulator.control.addFault({
		call: 'media',
		phone_number_id,
		kind: 'error',
		code: 131053,
		times: 20,
	})
	const campaignId = await order(product, sender, { choice: byNumber(set), ...LATER })
	await setOpening(product, { ...sender, campaignId }, '5 minutes')
	const paused = await campaignWhen(product, { ...sender, campaignId }, ({ status }) => status === 'paused')
	assert.match(paused.statusReason ?? '', /20 people in a row/)
	await product.simulator.control.clearFaults()
	await setOpening(product, { ...sender, campaignId }, '0 minutes')
	const { url } = product.process
	await call(url, campaigns.resume, { params: { id: String(campaignId) }, token: sender.token })
	const done = await campaignWhen(product, { ...sender, campaignId }, ({ status }) => status === 'completed')
	assert.equal(done.failed, 20)
	assert.deepEqual(await documentsOf(product, sender, numbers[21] ?? ''), [
		`${hashOf(pdf(numbers[21] ?? ''))} ${numbers[21]}.pdf`,
	])
	assert.deepEqual(await moneyFindings(product.db), [])
})

test('a message of a program has its own file, once for each Idempotency-Key, and a file that cannot be sent holds no money', async (t) => {
	const sender = await newSender(product, 3)
	const [first = '', second = '', third = ''] = await numbersOf(product, sender)
	const { token } = await apiKey(product.db, sender)
	const { url } = product.process
	const server = createServer(await trustedCertificate(), (_, response) => response.end(pdf('fetched')))
	server.listen(0, '127.0.0.1')
	await once(server, 'listening')
	t.after(() => server.close())
	const address = `https://127.0.0.1:${(server.address() as AddressInfo).port}/bills/2.pdf`
	const template = { name: 'hello' }
	const values = { var1: 'you' }
	const post = async (path: string, { body, key }: { body: FormData | string; key: string }) => {
		const type = typeof body === 'string' && { 'content-type': 'application/json' }
		const headers = { authorization: `Bearer ${token}`, 'idempotency-key': key, ...type }
		const response = await fetch(url + path, { method: 'POST', headers, body })
		return { status: response.status, body: (await response.json()) as { id: string; errors?: { path: string }[] } }
	}
	const attach = (to: string, content: Buffer, key: string) => {
		const body = new FormData()
		body.set('message', JSON.stringify({ to, template, values }))
		body.set('file', fileOf(content, 'बिल 1.pdf', 'application/pdf'))
		return post('/v1/messages/with-file', { body, key })
	}
	const name = (to: string, at: string, key: string) =>
		post('/v1/messages', { body: JSON.stringify({ to, template, values, file: { url: at } }), key })
	const refused = [
		await attach(third, Buffer.from('no document'), 'c'),
		await name(third, 'https://127.0.0.1:1/1.pdf', 'd'),
	]
	for (const { status, body } of refused) assert.deepEqual([status, body.errors?.[0]?.path.slice(0, 5)], [422, '/file'])
	assert.deepEqual(await getWallet(product.db, sender.accountId), { availablePaise: 300, heldPaise: 0 })
	const sent = [
		await attach(first, pdf('own'), 'a'),
		await attach(first, pdf('own'), 'a'),
		await name(second, address, 'b'),
	]
	server.close()
	sent.push(await name(second, address, 'b'))
	assert.deepEqual(
		sent.map(({ status }) => status),
		[202, 202, 202, 202],
	)
	assert.deepEqual([sent[1]?.body.id, sent[3]?.body.id], [sent[0]?.body.id, sent[2]?.body.id])
	assert.equal((await attach(first, pdf('another'), 'a')).status, 409)
	const campaignId = Number(sent[0]?.body.id.split('-')[0])
	await campaignWhen(product, { ...sender, campaignId }, ({ status, total }) => status === 'completed' && total === 2)
	assert.deepEqual(await documentsOf(product, sender, first), [`${hashOf(pdf('own'))} बिल 1.pdf`])
	assert.deepEqual(await documentsOf(product, sender, second), [`${hashOf(pdf('fetched'))} 2.pdf`])
	assert.deepEqual(await moneyFindings(product.db), [])
})
