import assert from 'node:assert/strict'
import { test } from 'node:test'
import { adviceForAdmin } from './advice.ts'

for (const [said, shown] of [
	[
		'The access token is no longer valid. Ask your administrator to save a new one, then resume.',
		'The access token is no longer valid. Save a new one. The user can then resume the campaigns.',
	],
	[
		'The phone number cannot be reached with these credentials. Ask your administrator to check them.',
		'The phone number cannot be reached with these credentials. Check them.',
	],
	[
		'The number was blocked. See the account in WhatsApp Manager, or ask your administrator.',
		'The number was blocked. See the account in WhatsApp Manager.',
	],
	['WhatsApp credentials are not set up. Please contact your administrator.', 'WhatsApp credentials are not set up.'],
	[
		'WhatsApp has locked this account. See WhatsApp Manager, then resume.',
		'WhatsApp has locked this account. See WhatsApp Manager. The user can then resume the campaigns.',
	],
] as const)
	test(`adviceForAdmin does not send an administrator to the administrator: ${shown}`, () =>
		assert.equal(adviceForAdmin(said), shown))
