import assert from 'node:assert/strict'
import { afterEach, beforeEach, mock, suite, test } from 'node:test'
import { HOUR_MS } from '#lib/durations.ts'
import { keptRequest } from './kept-request.ts'

const MORNING = new File(['98765 43210'], 'morning.csv', { lastModified: 1 })
const EVENING = new File(['98765 43210'], 'evening.csv', { lastModified: 2 })

function memory(isFull = false) {
	let kept: unknown = null
	return {
		read: () => kept,
		write: (values: unknown) => void (kept = isFull ? null : values),
		clear: () => void (kept = null),
	}
}

const of = (store = memory()) => keptRequest({ draftName: 'campaign:new', store })

suite('keptRequest', () => {
	beforeEach(() => mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-11-22T10:00:00Z') }))
	afterEach(() => mock.timers.reset())

	test('idFor returns the same id for an unanswered order within an hour, also after a reload', () => {
		const store = memory()
		const first = of(store).idFor(null)
		mock.timers.setTime(Date.now() + HOUR_MS - 1)
		assert.equal(of(store).idFor(null), first)
	})

	test('idFor returns a new id for an order that is sent an hour later, or with another file', () => {
		const request = of()
		const first = request.idFor(MORNING)
		assert.equal(request.idFor(MORNING), first)
		assert.notEqual(request.idFor(EVENING), first)
		const second = request.idFor(EVENING)
		mock.timers.setTime(Date.now() + HOUR_MS)
		assert.notEqual(request.idFor(EVENING), second)
	})

	test('idFor returns a new id once the order was answered', () => {
		const request = of()
		const first = request.idFor(null)
		request.answered()
		assert.notEqual(request.idFor(null), first)
	})

	test('idFor returns the same id while the form is open when the storage is full', () => {
		const request = of(memory(true))
		assert.equal(request.idFor(null), request.idFor(null))
	})
})
