import assert from 'node:assert/strict'
import { test } from 'node:test'
import { epochsOf, UNMARKED } from './epochs.ts'

const OPEN = { isRestored: false, lastCampaignId: null, lastChatMessageId: null }
const CLOSED = { isRestored: false, lastCampaignId: 500, lastChatMessageId: 70 }
const BEGAN = new Date(1000)
const RESTORED = new Date(2000)

const restored = epochsOf([
	{ ...CLOSED, epoch: '', openedAt: BEGAN },
	{ ...CLOSED, epoch: 'aaaaaaaa', openedAt: BEGAN },
	{ ...OPEN, epoch: 'bbbbbbbb', openedAt: RESTORED, isRestored: true },
])

test('unmark returns the id that mark was given, in the present epoch', () => {
	for (const id of ['campaign:1000000007:42', 'chat:9']) assert.equal(restored.unmark(restored.mark(id)), id)
	assert.equal(restored.mark('chat:9'), 'chat:9:bbbbbbbb')
	assert.deepEqual(restored.restoredAt, RESTORED)
})

test('unmark returns ids of an earlier epoch up to the last one that the restored database knew, and none above', () => {
	for (const epoch of [':aaaaaaaa', '', ':1']) {
		assert.equal(restored.unmark(`campaign:500:1${epoch}`), 'campaign:500:1')
		assert.equal(restored.unmark(`campaign:501:1${epoch}`), '')
	}
	assert.equal(restored.unmark('chat:70:aaaaaaaa'), 'chat:70')
	assert.equal(restored.unmark('chat:71:aaaaaaaa'), '')
})

test('unmark returns nothing for the epoch of another installation, and for what is no id of ours', () => {
	for (const data of ['campaign:1:1:cccccccc', 'chat:1:cccccccc', 'order:1', 'campaign:1', 'campaign:1:1:', ''])
		assert.equal(restored.unmark(data), '', data)
	assert.equal(UNMARKED.unmark('campaign:1:1:cccccccc'), '')
})

test('marksOf returns an id as each epoch that knows it may have sent it, the present one first', () => {
	const forms = ['campaign:500:1:bbbbbbbb', 'campaign:500:1:aaaaaaaa', 'campaign:500:1']
	assert.deepEqual(restored.marksOf('campaign:500:1'), forms)
	assert.deepEqual(restored.marksOf('campaign:501:1'), [restored.mark('campaign:501:1')])
})
