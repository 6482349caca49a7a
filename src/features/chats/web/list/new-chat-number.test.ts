import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { NUMBER_INVALID, NUMBER_REQUIRED, readNewNumber } from '#features/chats/rules.ts'

suite('the number of a new chat', () => {
	for (const [typed, number] of [
		['9876543210', '919876543210'],
		['98765 43210', '919876543210'],
		['+91 98765 43210', '919876543210'],
		['91-9876543210', '919876543210'],
		['919876543210', '919876543210'],
		['09876543210', '919876543210'],
		['2025550123', '912025550123'],
		['+1 (202) 555-0123', '12025550123'],
		['+971 501234567890', '971501234567890'],
		['+9876543210', '919876543210'],
		['0987654321', '910987654321'],
		// Complete in the country that the plus announces.
		['+65 8123 4567', '6581234567'],
	] as const)
		test(`“${typed}” is ${number}`, () => assert.deepEqual(readNewNumber(typed), { number }))

	for (const typed of ['', '   '])
		test(`“${typed}” asks for a number`, () => assert.deepEqual(readNewNumber(typed), { error: NUMBER_REQUIRED }))

	for (const typed of ['12345', 'asha', '+91 98765', '98765432101234567', '98765x43210'])
		test(`“${typed}” is refused with an example`, () =>
			assert.deepEqual(readNewNumber(typed), { error: NUMBER_INVALID }))
})
