import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { advances, higherStatus, OWN_ERRORS, STATUS_ORDER } from './rules.ts'

const status = fc.constantFrom(...STATUS_ORDER)

test('higherStatus gives the same status for any order and repetition of reports', () => {
	fc.assert(
		fc.property(fc.array(status, { minLength: 1 }), fc.array(fc.nat(), { minLength: 1 }), (told, picks) => {
			const once = told.reduce(higherStatus)
			const again = [...told.toReversed(), ...picks.map((pick) => told[pick % told.length] ?? 'pending')]
			assert.equal(again.reduce(higherStatus), once)
		}),
	)
})

test('higherStatus prefers failed to pending and sent, and delivered and read to failed', () => {
	assert.equal(higherStatus('failed', 'pending'), 'failed')
	assert.equal(higherStatus('sent', 'failed'), 'failed')
	assert.equal(higherStatus('failed', 'delivered'), 'delivered')
	assert.equal(higherStatus('read', 'failed'), 'read')
})

test('advances lets a failure that says a message was never sent hold for pending messages alone', () => {
	for (const name of ['unconfirmed', 'cancelled', 'notRun', 'optedOut'] as const) {
		const failed = { status: 'failed', errorCode: OWN_ERRORS[name].code } as const
		assert.equal(advances({ status: 'pending', errorCode: null }, failed), true)
		assert.equal(advances({ status: 'sent', errorCode: null }, failed), false)
	}
})

test('advances lets a late sent replace an unconfirmed failure, and no other failure', () => {
	const sent = { status: 'sent', errorCode: null } as const
	assert.equal(advances({ status: 'failed', errorCode: OWN_ERRORS.unconfirmed.code }, sent), true)
	for (const errorCode of [OWN_ERRORS.cancelled.code, OWN_ERRORS.optedOut.code, 131_026]) {
		assert.equal(advances({ status: 'failed', errorCode }, sent), false)
		assert.equal(advances({ status: 'failed', errorCode }, { status: 'delivered', errorCode: null }), true)
	}
})

test('advances lets a refusal by the network replace an unconfirmed failure, and no decision of ours', () => {
	const unconfirmed = { status: 'failed', errorCode: OWN_ERRORS.unconfirmed.code } as const
	assert.equal(advances(unconfirmed, { status: 'failed', errorCode: 131_026 }), true)
	for (const { code } of Object.values(OWN_ERRORS))
		assert.equal(advances(unconfirmed, { status: 'failed', errorCode: code }), false, String(code))
})
