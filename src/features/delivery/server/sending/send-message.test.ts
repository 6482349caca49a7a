import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OWN_ERRORS } from '#features/delivery/rules.ts'
import type { CloudApi, GraphRequest } from '#features/whatsapp/server/graph-client.ts'
import type { Sender } from '#features/whatsapp/server/service.ts'
import type { AccountId } from '#lib/server/db.ts'
import { createLog } from '#lib/server/log.ts'
import { createNetworkState } from '#lib/server/pace/sender-mode.ts'
import type { Outcome } from '../message/response-classifier.ts'
import { sendMessage } from './send-message.ts'
import { createSenderRun, type SenderDeps } from './sender-run.ts'

const MESSAGE = {
	batch: 1,
	isSingle: false,
	number: '919812345678',
	mergeValues: null,
	attempts: 0,
	refusedBy: null,
	isOptedOut: false,
}

/** Creates a run with these parts of its surroundings. Collects the outcomes that reach the recorder. */
function createRun(given: Partial<SenderDeps> = {}) {
	const deps = {
		network: createNetworkState(),
		outcomes: new Map(),
		log: createLog('silent'),
		watch: { now: () => new Date() },
		worker: { id: 'w', isAlive: () => true, stopped: new AbortController().signal },
		...given,
	} as unknown as SenderDeps
	const run = createSenderRun(deps, 1 as AccountId, { worker: 'w', epoch: 1 })
	const recorded: { seq: number; outcome: Outcome }[] = []
	run.recorder.add = ({ seq }, outcome) => recorded.push({ seq, outcome })
	return { run, recorded }
}

test('a run begins at 95 % of the pace of a number, since replies in chats use the rest', () => {
	assert.equal(createRun().run.pacer.rate(), 76)
})

test('messages that cannot be rendered fail, and do not begin an outage of the sender', async () => {
	// Rendering throws, because the campaign was not prepared.
	const { run, recorded } = createRun()
	for (let seq = 1; seq <= 9; seq++) await sendMessage(run, {} as Sender, { ...MESSAGE, campaignId: 7, seq })
	const { code, text } = OWN_ERRORS.unrenderable
	assert.deepEqual(
		recorded.map(({ outcome }) => outcome),
		Array.from({ length: 9 }, () => ({ kind: 'failed', code, error: text, optOut: false, repeats: true })),
	)
	assert.deepEqual([run.mode.name, run.inFlight], ['idle', 0])
})

test('the failure that begins an outage gives back every message that is claimed and not sent', async () => {
	const cloudApi = {
		request({ onStart }: GraphRequest) {
			onStart?.()
			return Promise.reject(new Error('the connection was reset'))
		},
	} as unknown as CloudApi
	const { run, recorded } = createRun({ cloudApi })
	run.renderers.render = () => '{}'
	run.renderers.templateOf = () => ({ name: 'hello', language: 'en', category: 'MARKETING' })
	Object.assign(run.claims, { isRecent: () => true, note: () => {} })
	const messages = Array.from({ length: 9 }, (_, index) => ({ ...MESSAGE, campaignId: 7, seq: index + 1 }))
	run.ready = messages.slice(5)
	run.mode.turn({ hasWork: true, isFull: false })
	for (const message of messages.slice(0, 5)) await sendMessage(run, {} as Sender, message)
	assert.deepEqual([run.mode.name, run.ready], ['probing', []])
	assert.deepEqual(
		recorded.map(({ seq, outcome }) => [seq, outcome.kind]),
		[1, 2, 3, 4, 5].map((seq) => [seq, 'unknown']).concat([6, 7, 8, 9].map((seq) => [seq, 'returned'])),
	)
})
