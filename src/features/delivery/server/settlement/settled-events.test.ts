import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MessageState } from '#features/delivery/rules.ts'
import { failure, type ReportedPricing } from '../message/status-update.ts'
import { applyUpdates } from './message-changes.ts'
import { settledEvents } from './settled-events.ts'

const AT = new Date('2026-11-24T06:30:00Z')

/** Returns the events of a message in this state for status updates in this order. */
function eventsAfter(
	before: MessageState,
	statuses: ('sent' | 'delivered' | 'read' | 'failed')[],
	pricing?: ReportedPricing,
) {
	const usage = {
		usage: null,
		pricePaise: null,
		passesOnFree: true,
		isFree: null,
		recipient: '9198100',
		category: 'MARKETING',
	}
	const message = { campaignId: 1, seq: 1, number: '919810000001', sentAt: null, arrivedAt: null, ...usage, ...before }
	const updates = statuses.map((status) => ({
		campaignId: 1,
		seq: 1,
		...(pricing && { pricing }),
		...(status === 'failed' ? failure(131026, '', AT) : { status, wamid: 'wamid.1', errorCode: null, error: null }),
		at: AT,
	}))
	const { transitions } = applyUpdates([message], updates)
	return settledEvents({ transitions, stored: [message], references: [], ended: [], at: AT }).map(({ type }) => type)
}

const PENDING = { status: 'pending', errorCode: null } as const

test('settledEvents returns each step of a message once when the update of a later step comes first', () => {
	assert.deepEqual(eventsAfter(PENDING, ['read', 'sent', 'delivered']), [
		'message.sent',
		'message.delivered',
		'message.read',
	])
	assert.deepEqual(eventsAfter({ ...PENDING, status: 'sent' }, ['read']), ['message.delivered', 'message.read'])
})

test('settledEvents returns no event for a message that is passed on after its failure', () => {
	const pricing = { category: 'marketing', type: 'free_entry_point' }
	assert.deepEqual(eventsAfter({ status: 'failed', errorCode: 131026 }, ['sent'], pricing), [])
	assert.deepEqual(eventsAfter({ ...PENDING, status: 'sent' }, ['delivered'], pricing), ['message.delivered'])
})

test('settledEvents returns a failure that a delivery undoes between the steps before and after it', () => {
	assert.deepEqual(eventsAfter(PENDING, ['sent', 'failed', 'delivered']), [
		'message.sent',
		'message.failed',
		'message.delivered',
	])
})
