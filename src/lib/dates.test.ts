import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { formatDay, formatStamp, indianClock, indianDay, spellDay } from './dates.ts'

// 23 Nov 2026, 00:05:09 in India.
const AT = Date.UTC(2026, 10, 22, 18, 35, 9)

/** Simulates an engine with other locale data: another text, another order of parts, and two-digit days. */
function useForeignFormats(t: TestContext) {
	t.mock.getter(Intl.DateTimeFormat.prototype, 'format', () => () => '11/23/2026, 12:05:09 AM')
	const formatToParts = Intl.DateTimeFormat.prototype.formatToParts
	t.mock.method(Intl.DateTimeFormat.prototype, 'formatToParts', function (this: Intl.DateTimeFormat, at?: number) {
		const parts = formatToParts.call(this, at).toReversed()
		return parts.map(({ type, value }) => ({ type, value: type === 'day' ? value.padStart(2, '0') : value }))
	})
}

suite('dates and times in India', () => {
	test('indianDay and indianClock return Indian day and time when London still has the day before', () => {
		assert.equal(indianDay(AT), '2026-11-23')
		assert.equal(indianClock(AT), '00:05')
	})

	test("days, times and stamps do not depend on the engine's locale data", (t) => {
		useForeignFormats(t)
		assert.equal(indianDay(AT), '2026-11-23')
		assert.equal(indianClock(AT), '00:05')
		const iso = new Date(AT).toISOString()
		assert.equal(formatStamp(iso), '23/11/26 00:05:09')
		assert.equal(formatDay(iso), '23 Nov 2026')
		assert.equal(formatDay('2026-11-05T06:00:00Z'), '5 Nov 2026')
	})
})

test('spellDay names weekday and month, and returns an empty text for a five-digit year', () => {
	assert.equal(spellDay('2026-11-21'), 'Saturday, 21 November 2026')
	assert.equal(spellDay('20260-11-21'), '')
})
