import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { createServer, getCACertificates, setDefaultCACertificates } from 'node:tls'
import { generate } from 'selfsigned'
import { createCloudApi } from '#features/whatsapp/server/graph-client.ts'
import { classifyFailure, classifyResponse } from './response-classifier.ts'
import { send } from './send.ts'

const refusal = (code: number, status = 400, more: object = {}) =>
	classifyResponse({ status, body: { error: { code, message: `(#${code}) refused`, ...more } } }, 1)

const reply = (message_status?: string) => ({ status: 200, body: { messages: [{ id: 'wamid.1', message_status }] } })

test('classifyResponse returns the wamid of an accepted message, and whether Meta checks its quality first', () => {
	const accepted = { kind: 'accepted', wamid: 'wamid.1', isInQualityCheck: false, waId: null }
	assert.deepEqual(classifyResponse(reply('accepted'), 1), accepted)
	assert.deepEqual(classifyResponse(reply('held_for_quality_assessment'), 1), { ...accepted, isInQualityCheck: true })
})

test('classifyResponse returns retry with its cause for refusals that mean "not processed"', () => {
	const causes = { 4: 'account-limit', 80007: 'account-limit', 130429: 'pace', 131056: 'recipient-limit' }
	for (const [code, cause] of Object.entries(causes)) {
		const outcome = refusal(Number(code))
		assert.ok(outcome.kind === 'retry' && outcome.cause === cause, code)
	}
	assert.equal(classifyResponse({ status: 429, body: null }, 1).kind, 'retry')
})

test('an outcome that leaves open whether Meta accepted the message is classified as unknown, never as retry', () => {
	for (const code of [1, 2, 131000, 131016, 133004, 131057])
		for (const status of [400, 500]) assert.equal(refusal(code, status).kind, 'unknown', `${code} with ${status}`)
	assert.equal(classifyResponse({ status: 502, body: null }, 1).kind, 'unknown')
	assert.equal(classifyResponse({ status: 500, body: { error: { code: 987_654, message: 'new' } } }, 1).kind, 'unknown')
	assert.equal(classifyResponse({ status: 200, body: { surprising: true } }, 1).kind, 'unknown')
	assert.equal(classifyFailure(new Error('other side closed'), { attempts: 1, isHanded: true }).kind, 'unknown')
})

test('classifyFailure returns retry when the message was not handed to a connection', () => {
	assert.equal(classifyFailure(new Error('connect ECONNREFUSED'), { attempts: 1, isHanded: false }).kind, 'retry')
})

test('send returns retry with the cause in words when the certificate of the network has expired', async (t) => {
	const name = [{ name: 'commonName', value: '127.0.0.1' }]
	const { private: key, cert } = await generate(name, {
		keyType: 'ec',
		notBeforeDate: new Date('2020-01-01'),
		notAfterDate: new Date('2021-01-01'),
		extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
	})
	const trusted = getCACertificates('default')
	setDefaultCACertificates([...trusted, cert])
	t.after(() => setDefaultCACertificates(trusted))
	const server = createServer({ key, cert }).listen(0, '127.0.0.1')
	t.after(() => server.close())
	await once(server, 'listening')
	const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
	const api = createCloudApi({ url, version: 'v25.0' })
	t.after(() => api.close())
	const sender = { accessToken: 'token', phoneNumberId: '1' } as Parameters<typeof send>[1]
	const outcome = await send(api, sender, { body: '{}', attempts: 1 })
	assert.ok(outcome.kind === 'retry' && outcome.cause === 'unreachable')
	assert.equal(outcome.detail, 'certificate has expired (CERT_HAS_EXPIRED)')
})

function reasonOf(error: unknown): string | undefined {
	const outcome = classifyFailure(error, { attempts: 1, isHanded: false })
	return outcome.kind === 'retry' ? outcome.detail : undefined
}

test('classifyFailure names the innermost cause in one line of 200 characters at most', () => {
	const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:443'), { code: 'ECONNREFUSED' })
	const several = new AggregateError([refused, new Error('second')], '')
	assert.equal(reasonOf(new TypeError('fetch failed', { cause: several })), refused.message)
	assert.equal(reasonOf(new Error(`a\n${'b'.repeat(500)}`))?.length, 200)
	assert.equal(reasonOf('text'), 'unknown')
	const handed = classifyFailure(refused, { attempts: 1, isHanded: true })
	assert.deepEqual(handed, { kind: 'unknown', error: `No answer from the network (${refused.message})` })
})

test('classifyResponse returns failed for a refusal of one recipient, with optOut for code 131050', () => {
	for (const code of [131026, 131049, 131047, 130472]) {
		const outcome = refusal(code)
		assert.ok(outcome.kind === 'failed' && !outcome.repeats && !outcome.optOut, String(code))
	}
	const optOut = refusal(131050)
	assert.ok(optOut.kind === 'failed' && optOut.optOut)
})

test('classifyResponse returns failed with `repeats` for an unknown code and a text too long, so that a row of them pauses the campaign', () => {
	for (const code of [987_654, 132005]) {
		const outcome = refusal(code)
		assert.ok(outcome.kind === 'failed' && outcome.repeats, String(code))
	}
})

test('classifyResponse returns campaign for a refused template, and sender for a refused account', () => {
	for (const code of [132001, 132007, 132015, 132016, 134100])
		assert.equal(refusal(code).kind, 'campaign', String(code))
	for (const code of [0, 3, 10, 190, 200, 299, 368, 131031, 131042, 131048, 133010]) {
		assert.equal(refusal(code, 401).kind, 'sender', String(code))
	}
	assert.equal(refusal(100, 400, { error_subcode: 33 }).kind, 'sender')
	assert.equal(refusal(100).kind, 'failed')
})
