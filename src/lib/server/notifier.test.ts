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

test('the notifier sends notifications added at once in one statement, each once', async () => {
	const { sent, notifier } = recordingNotifier()
	for (const payload of ['1', '2', '1']) notifier.add('work', payload)
	notifier.add('live', '1')
	assert.deepEqual(sent, [])
	await notifier.flush()
	assert.deepEqual(sent, [['work 1', 'work 2', 'live 1']])
})

test('the notifier sends a notification that is added during a statement in the next one, also when it repeats an earlier one', async () => {
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

test('the notifier sends later notifications when earlier ones could not be sent', async () => {
	const { sent, notifier } = recordingNotifier([() => Promise.reject(new Error('connection lost'))])
	notifier.add('work', '1')
	await notifier.flush()
	notifier.add('work', '2')
	await notifier.flush()
	assert.deepEqual(sent, [['work 1'], ['work 2']])
})
