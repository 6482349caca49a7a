import assert from 'node:assert/strict'
import { test } from 'node:test'
import { restoreGenerationsOf, UNMARKED } from './restore-generations.ts'

const OPEN = { isRestored: false, lastCampaignId: null, lastChatMessageId: null }
const CLOSED = { isRestored: false, lastCampaignId: 500, lastChatMessageId: 70 }
const BEGAN = new Date(1000)
const RESTORED = new Date(2000)

const restored = restoreGenerationsOf([
	{ ...CLOSED, generation: '', openedAt: BEGAN },
	{ ...CLOSED, generation: 'aaaaaaaa', openedAt: BEGAN },
	{ ...OPEN, generation: 'bbbbbbbb', openedAt: RESTORED, isRestored: true },
])

test('unmark returns the id that mark has marked with the current restore generation', () => {
	for (const id of ['campaign:1000000007:42', 'chat:9']) assert.equal(restored.unmark(restored.mark(id)), id)
	assert.equal(restored.mark('chat:9'), 'chat:9:bbbbbbbb')
	assert.deepEqual(restored.restoredAt, RESTORED)
})

test('unmark returns an id of an earlier generation, and an empty text when it is above the last id in the backup', () => {
	for (const generation of [':aaaaaaaa', '', ':1']) {
		assert.equal(restored.unmark(`campaign:500:1${generation}`), 'campaign:500:1')
		assert.equal(restored.unmark(`campaign:501:1${generation}`), '')
	}
	assert.equal(restored.unmark('chat:70:aaaaaaaa'), 'chat:70')
	assert.equal(restored.unmark('chat:71:aaaaaaaa'), '')
})

test('unmark returns an empty text for a generation of another installation, and for a text that is no id of ours', () => {
	for (const data of ['campaign:1:1:cccccccc', 'chat:1:cccccccc', 'order:1', 'campaign:1', 'campaign:1:1:', ''])
		assert.equal(restored.unmark(data), '', data)
	assert.equal(UNMARKED.unmark('campaign:1:1:cccccccc'), '')
})

test('marksOf returns the forms of an id in all generations that may have sent it, the current one first', () => {
	const forms = ['campaign:500:1:bbbbbbbb', 'campaign:500:1:aaaaaaaa', 'campaign:500:1']
	assert.deepEqual(restored.marksOf('campaign:500:1'), forms)
	assert.deepEqual(restored.marksOf('campaign:501:1'), [restored.mark('campaign:501:1')])
})
