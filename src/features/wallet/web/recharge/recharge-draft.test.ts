import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOUR_MS } from '#lib/durations.ts'
import { readRechargeDraft } from './recharge-draft.ts'

const OPENED_AT = Date.parse('2026-11-22T10:00:00Z')
const INITIAL = { amount: '', notes: '', requestId: 'this-form', openedAt: OPENED_AT }
const kept = (ageMs: number) => ({
	amount: '5000',
	notes: 'Cheque 17',
	requestId: 'lost-answer',
	openedAt: OPENED_AT - ageMs,
})

test('readRechargeDraft keeps the request id of a draft younger than an hour, so that the money is added once', () =>
	assert.deepEqual(readRechargeDraft(kept(HOUR_MS - 1), INITIAL), kept(HOUR_MS - 1)))

test('readRechargeDraft gives an older draft a new request id, and keeps the typed fields', () =>
	assert.deepEqual(readRechargeDraft(kept(HOUR_MS), INITIAL), { ...INITIAL, amount: '5000', notes: 'Cheque 17' }))

test('readRechargeDraft gives a draft without openedAt a new request id', () => {
	const { amount, notes, requestId } = kept(0)
	assert.equal(readRechargeDraft({ amount, notes, requestId }, INITIAL)?.requestId, 'this-form')
})
