import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { formatDay, formatStamp, indianClock, indianDay, spellDay } from './dates.ts'

// 23 Nov 2026, 00:05:09 in India.
const AT = Date.UTC(2026, 10, 22, 18, 35, 9)

/** As an engine whose locale data differ: another text, the parts in another order, and days of two digits. */
function useForeignFormats(t: TestContext) {
	t.mock.getter(Intl.DateTimeFormat.prototype, 'format', () => () => '11/23/2026, 12:05:09 AM')
	const formatToParts = Intl.DateTimeFormat.prototype.formatToParts
	t.mock.method(Intl.DateTimeFormat.prototype, 'formatToParts', function (this: Intl.DateTimeFormat, at?: number) {
		const parts = formatToParts.call(this, at).toReversed()
		return parts.map(({ type, value }) => ({ type, value: type === 'day' ? value.padStart(2, '0') : value }))
	})
}

suite('dates and times in India', () => {
	test('indianDay and indianClock give the day and time in India when it is still the day before in London', () => {
		assert.equal(indianDay(AT), '2026-11-23')
		assert.equal(indianClock(AT), '00:05')
	})

	test('days, times and stamps are the same in an engine that orders and writes dates otherwise', (t) => {
		useForeignFormats(t)
		assert.equal(indianDay(AT), '2026-11-23')
		assert.equal(indianClock(AT), '00:05')
		const iso = new Date(AT).toISOString()
		assert.equal(formatStamp(iso), '23/11/26 00:05:09')
		assert.equal(formatDay(iso), '23 Nov 2026')
		assert.equal(formatDay('2026-11-05T06:00:00Z'), '5 Nov 2026')
	})
})

test('spellDay names the day of the week and the month, and nothing for a year of five digits', () => {
	assert.equal(spellDay('2026-11-21'), 'Saturday, 21 November 2026')
	assert.equal(spellDay('20260-11-21'), '')
})
