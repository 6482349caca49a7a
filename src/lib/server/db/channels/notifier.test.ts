import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '#test/until.ts'
import { Notifier } from './notifier.ts'

function recordingNotifier(answers: (() => Promise<unknown>)[] = []) {
	const sent: string[][] = []
	const notifier = new Notifier((channels, payloads) => {
		sent.push(channels.map((channel, index) => `${channel} ${payloads[index]}`))
		return answers.shift()?.() ?? Promise.resolve()
	})
	return { sent, notifier }
}

test('the notifier sends notifications added together in one statement, each once', async () => {
	const { sent, notifier } = recordingNotifier()
	for (const payload of ['1', '2', '1']) notifier.add('work', payload)
	notifier.add('live', '1')
	assert.deepEqual(sent, [])
	await notifier.flush()
	assert.deepEqual(sent, [['work 1', 'work 2', 'live 1']])
})

test('the notifier sends a notification added during a statement in the next one, even when it repeats an earlier one', async () => {
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

test('the notifier sends later notifications after an earlier statement failed', async () => {
	const { sent, notifier } = recordingNotifier([() => Promise.reject(new Error('connection lost'))])
	notifier.add('work', '1')
	await notifier.flush()
	notifier.add('work', '2')
	await notifier.flush()
	assert.deepEqual(sent, [['work 1'], ['work 2']])
})

test('the notifier sends a progress notification with the next other one, or alone within a second', async () => {
	const { sent, notifier } = recordingNotifier()
	notifier.add('live', 'first', { isProgress: true })
	await until(() => sent.length === 1)
	const sentAt = performance.now()
	notifier.add('live', 'half', { isProgress: true })
	notifier.add('work', 'now')
	await until(() => sent.length === 2)
	const betweenMs = performance.now() - sentAt
	notifier.add('live', 'done', { isProgress: true })
	await until(() => sent.length === 3)
	assert.deepEqual(sent, [['live first'], ['live half', 'work now'], ['live done']])
	const lastMs = performance.now() - sentAt - betweenMs
	assert.ok(lastMs > betweenMs * 1.5, `${betweenMs} ms, then ${lastMs} ms`)
})
