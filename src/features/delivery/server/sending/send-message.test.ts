import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OWN_ERRORS } from '#features/delivery/rules.ts'
import type { Sender } from '#features/whatsapp/server/sender.ts'
import type { AccountId } from '#lib/server/db.ts'
import { createLog } from '#lib/server/log.ts'
import type { Outcome } from '../message/response-classifier.ts'
import { sendMessage } from './send-message.ts'
import { createNetworkState } from './sender-mode.ts'
import { createSenderRun, type SenderDeps } from './sender-run.ts'

test('messages that cannot be made fail by themselves, and do not stop the sender as an outage would', async () => {
	const worker = { id: 'w', isAlive: () => true, stopped: new AbortController().signal }
	// Nothing else is used: no message of a campaign that is not prepared gets as far as the network.
	const deps = {
		network: createNetworkState(),
		outcomes: new Map(),
		log: createLog('silent'),
		worker,
	} as unknown as SenderDeps
	const run = createSenderRun(deps, 1 as AccountId, { worker: 'w', epoch: 1 })
	const outcomes: Outcome[] = []
	run.recorder.add = (_message, outcome) => outcomes.push(outcome)
	const message = {
		batch: 1,
		isSingle: false,
		number: '919812345678',
		mergeValues: null,
		attempts: 0,
		isOptedOut: false,
	}
	for (let seq = 1; seq <= 9; seq++) await sendMessage(run, {} as Sender, { ...message, campaignId: 7, seq })
	const { code, text } = OWN_ERRORS.unrenderable
	assert.deepEqual(
		outcomes,
		Array.from({ length: 9 }, () => ({ kind: 'failed', code, error: text, optOut: false, repeats: true })),
	)
	assert.deepEqual([run.mode.name, run.inFlight], ['idle', 0])
})
