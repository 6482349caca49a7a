import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readAccountUpdate } from './account-changes.ts'

const restricted = (...restriction_info: unknown[]) =>
	readAccountUpdate({ event: 'ACCOUNT_RESTRICTION', restriction_info })

test('readAccountUpdate of a restriction returns what the account may not do, and until when', () => {
	const expiration = 1_796_083_200
	assert.deepEqual(restricted({ restriction_type: 'RESTRICTED_BIZ_INITIATED_MESSAGING', expiration }), {
		stop: {
			user: 'WhatsApp does not let this account begin conversations until 1 Dec 2026, 5:30 am. See the account in WhatsApp Manager, or ask your administrator.',
			admin:
				'WhatsApp does not let this account begin conversations until 1 Dec 2026, 5:30 am. See the account in WhatsApp Manager.',
		},
	})
	const others = [
		{ restriction_type: 'RESTRICTED_CUSTOMER_INITIATED_MESSAGING', expiration: 'soon' },
		{ restriction_type: 'RESTRICTED_NEW_KIND' },
	]
	assert.deepEqual(restricted(...others), {
		warning:
			'WhatsApp has restricted this account (restricted customer initiated messaging, restricted new kind) at present. See the account in WhatsApp Manager, or ask your administrator.',
	})
	assert.equal(restricted(), null)
	assert.equal(readAccountUpdate({ event: 'ACCOUNT_RESTRICTION', restriction_info: null }), null)
})

const removed = (reason?: unknown) =>
	readAccountUpdate({ event: 'PARTNER_REMOVED', disconnection_info: { reason, initiated_by: 'META' } })
const wordsOf = (change: ReturnType<typeof readAccountUpdate>) =>
	change && 'stop' in change ? /^(.*?) See/.exec(change.stop.admin)?.[1] : null

test('readAccountUpdate stops for a number that leaves the phone app or this product, and ends the stop when it reconnects', () => {
	const offboarded = readAccountUpdate({ event: 'ACCOUNT_OFFBOARDED' })
	assert.ok(offboarded && 'stop' in offboarded)
	assert.deepEqual(readAccountUpdate({ event: 'ACCOUNT_RECONNECTED' }), { ended: offboarded.stop })
	assert.equal(
		wordsOf(removed('PRIMARY_INACTIVITY')),
		'WhatsApp has disconnected this account: the phone app was not opened for too long.',
	)
	assert.equal(wordsOf(removed('NEW_REASON')), 'WhatsApp has disconnected this account: new reason.')
	for (const strange of [undefined, null, 7, {}])
		assert.equal(wordsOf(removed(strange)), 'WhatsApp has disconnected this account.')
	assert.equal(
		wordsOf(readAccountUpdate({ event: 'PARTNER_APP_UNINSTALLED' })),
		'WhatsApp has disconnected this account.',
	)
	assert.equal(readAccountUpdate({ event: 'PARTNER_ADDED' }), null)
})
