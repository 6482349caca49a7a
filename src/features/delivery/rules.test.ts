import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import {
	advances,
	CAMPAIGN_SHARE,
	OWN_ERRORS,
	shownStatus,
	STATUS_ORDER,
	type MessageStatus,
	CampaignStatus,
	isAllowed,
} from './rules.ts'

const status = fc.constantFrom(...STATUS_ORDER)

/** Returns the status of a message with status `was` after an update to status `update`. */
function after(was: MessageStatus, update: MessageStatus): MessageStatus {
	return advances({ status: was, errorCode: null }, { status: update, errorCode: null }) ? update : was
}

test('advances leads to the same status for any order and repetition of status updates', () => {
	fc.assert(
		fc.property(fc.array(status, { minLength: 1 }), fc.array(fc.nat(), { minLength: 1 }), (updates, picks) => {
			const once = updates.reduce(after)
			const again = [...updates.toReversed(), ...picks.map((pick) => updates[pick % updates.length] ?? 'pending')]
			assert.equal(again.reduce(after), once)
		}),
	)
})

test('shownStatus is pending for a status that is not known', () => {
	assert.deepEqual(['read', 'warning', '', 'toString'].map(shownStatus), ['read', 'pending', 'pending', 'pending'])
})

test('advances lets failed replace pending and sent but not read, and delivered replace failed', () => {
	assert.equal(after('pending', 'failed'), 'failed')
	assert.equal(after('sent', 'failed'), 'failed')
	assert.equal(after('failed', 'delivered'), 'delivered')
	assert.equal(after('read', 'failed'), 'read')
})

test('advances applies an unconfirmed failure, and the failures of messages that were never sent, only to pending messages', () => {
	for (const name of ['unconfirmed', 'cancelled', 'notRun', 'optedOut'] as const) {
		const failed = { status: 'failed', errorCode: OWN_ERRORS[name].code } as const
		assert.equal(advances({ status: 'pending', errorCode: null }, failed), true)
		assert.equal(advances({ status: 'sent', errorCode: null }, failed), false)
	}
})

test('advances lets a late sent replace an unconfirmed failure, and no other failure', () => {
	const sent = { status: 'sent', errorCode: null } as const
	assert.equal(advances({ status: 'failed', errorCode: OWN_ERRORS.unconfirmed.code }, sent), true)
	for (const errorCode of [OWN_ERRORS.cancelled.code, OWN_ERRORS.optedOut.code, 131026]) {
		assert.equal(advances({ status: 'failed', errorCode }, sent), false)
		assert.equal(advances({ status: 'failed', errorCode }, { status: 'delivered', errorCode: null }), true)
	}
})

test('advances lets a refusal by the network replace an unconfirmed failure, and no failure code of our own', () => {
	const unconfirmed = { status: 'failed', errorCode: OWN_ERRORS.unconfirmed.code } as const
	assert.equal(advances(unconfirmed, { status: 'failed', errorCode: 131026 }), true)
	for (const { code } of Object.values(OWN_ERRORS))
		assert.equal(advances(unconfirmed, { status: 'failed', errorCode: code }), false, String(code))
})

test('isAllowed lets an account cancel every campaign that has not ended, pause a pending or processing one, and resume a paused one', () => {
	const allowed = CampaignStatus.options.map((from) => [
		from,
		...(['pause', 'resume', 'cancel'] as const).filter((action) => isAllowed(action, from)),
	])
	assert.deepEqual(allowed, [
		['draft', 'cancel'],
		['pending', 'pause', 'cancel'],
		['processing', 'pause', 'cancel'],
		['paused', 'resume', 'cancel'],
		['completed'],
		['cancelled'],
		['failed'],
	])
})

test('campaigns leave a part of the pace that WhatsApp grants to live chats', () => {
	assert.ok(CAMPAIGN_SHARE > 0.9 && CAMPAIGN_SHARE < 1)
})
