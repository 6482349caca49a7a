import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { formatStamp, indianClock, indianDay } from './dates.ts'

// 23 Nov 2026, 00:05:09 in India.
const AT = Date.UTC(2026, 10, 22, 18, 35, 9)

/** As an engine whose locale data differ: another text, and the parts in another order. */
function useForeignFormats(t: TestContext) {
	t.mock.getter(Intl.DateTimeFormat.prototype, 'format', () => () => '11/23/2026, 12:05:09 AM')
	const formatToParts = Intl.DateTimeFormat.prototype.formatToParts
	t.mock.method(Intl.DateTimeFormat.prototype, 'formatToParts', function (this: Intl.DateTimeFormat, at?: number) {
		return formatToParts.call(this, at).toReversed()
	})
}

suite('dates that programs read', () => {
	test('indianDay and indianClock give the day and time in India when it is still the day before in London', () => {
		assert.equal(indianDay(AT), '2026-11-23')
		assert.equal(indianClock(AT), '00:05')
	})

	test('indianDay, indianClock and formatStamp are the same in an engine that orders and writes dates otherwise', (t) => {
		useForeignFormats(t)
		assert.equal(indianDay(AT), '2026-11-23')
		assert.equal(indianClock(AT), '00:05')
		assert.equal(formatStamp(new Date(AT).toISOString()), '23/11/26 00:05:09')
	})
})
