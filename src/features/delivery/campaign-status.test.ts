import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CampaignStatus } from './campaign-status.ts'
import { isAllowed } from './campaign-status.ts'

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
