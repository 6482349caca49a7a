import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Notifier } from './notifier.ts'

function recordingNotifier(answers: (() => Promise<unknown>)[] = []) {
	const sent: string[][] = []
	const notifier = new Notifier((channels, payloads) => {
		sent.push(channels.map((channel, index) => `${channel} ${payloads[index]}`))
		return answers.shift()?.() ?? Promise.resolve()
	})
	return { sent, notifier }
}

test('notifications added at once are sent together, the same one once', async () => {
	const { sent, notifier } = recordingNotifier()
	for (const payload of ['1', '2', '1']) notifier.add('work', payload)
	notifier.add('live', '1')
	assert.deepEqual(sent, [])
	await notifier.flush()
	assert.deepEqual(sent, [['work 1', 'work 2', 'live 1']])
})

test('a notification added while others are being sent is sent after them, also the same one again', async () => {
	const answer = Promise.withResolvers<void>()
	const { sent, notifier } = recordingNotifier([
		() => {
			notifier.add('work', '1')
			return answer.promise
		},
	])
	notifier.add('work', '1')
	setTimeout(answer.resolve, 100)
	await notifier.flush()
	assert.deepEqual(sent, [['work 1'], ['work 1']])
})

test('notifications that could not be sent do not keep later ones from being sent', async () => {
	const { sent, notifier } = recordingNotifier([() => Promise.reject(new Error('connection lost'))])
	notifier.add('work', '1')
	await notifier.flush()
	notifier.add('work', '2')
	await notifier.flush()
	assert.deepEqual(sent, [['work 1'], ['work 2']])
})
