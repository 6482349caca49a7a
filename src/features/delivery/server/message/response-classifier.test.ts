import assert from 'node:assert/strict'
import { test } from 'node:test'
import { classifyFailure, classifyResponse } from './response-classifier.ts'

const refusal = (code: number, status = 400, more: object = {}) =>
	classifyResponse({ status, body: { error: { code, message: `(#${code}) refused`, ...more } } }, 1)

const reply = (message_status?: string) => ({ status: 200, body: { messages: [{ id: 'wamid.1', message_status }] } })

test('classifyResponse returns the wamid of an accepted message, and whether Meta holds it', () => {
	const accepted = { kind: 'accepted', wamid: 'wamid.1', held: false, waId: null }
	assert.deepEqual(classifyResponse(reply('accepted'), 1), accepted)
	assert.deepEqual(classifyResponse(reply('held_for_quality_assessment'), 1), { ...accepted, held: true })
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
