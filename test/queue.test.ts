import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createQueue } from '../scripts/testing/queue.ts'

/** Returns a task that notes its name when it starts, and ends when `end` is called. */
function heldTask(name: string, started: string[]) {
	const { promise, resolve } = Promise.withResolvers<string>()
	const task = () => {
		started.push(name)
		return promise
	}
	return { task, end: () => resolve(name) }
}

test('a queue runs as many tasks at a time as it is given, and urgent ones before those that wait', async () => {
	const started: string[] = []
	const [first, second, third, urgent] = ['first', 'second', 'third', 'urgent'].map((name) => heldTask(name, started))
	assert.ok(first && second && third && urgent)
	const queue = createQueue(2)
	const results = queue.run([first.task, second.task, third.task])
	const urgentResults = queue.run([urgent.task], { isFirst: true })
	assert.deepEqual(started, ['first', 'second'])
	second.end()
	urgent.end()
	assert.deepEqual(await urgentResults, ['urgent'])
	first.end()
	third.end()
	assert.deepEqual(await results, ['first', 'second', 'third'])
	assert.deepEqual(started, ['first', 'second', 'urgent', 'third'])
})

test('a queue runs the next task after one has failed', async () => {
	const queue = createQueue(1)
	await assert.rejects(queue.run([() => Promise.reject(new Error('as planned'))]), /as planned/)
	assert.deepEqual(await queue.run([async () => 'next']), ['next'])
})
