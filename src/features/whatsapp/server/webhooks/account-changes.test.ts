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
