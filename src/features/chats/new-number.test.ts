import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readNewNumber } from './new-number.ts'
import { NUMBER_INVALID, NUMBER_REQUIRED } from './rules.ts'

for (const [typed, number] of [
	['9876543210', '919876543210'],
	['98765 43210', '919876543210'],
	['+91 98765-43210', '919876543210'],
	['\u202a+91 98765\u201343210\u202c', '919876543210'],
	['91-9876543210', '919876543210'],
	['919876543210', '919876543210'],
	['09876543210', '919876543210'],
	['+91 (0) 98765 43210', '919876543210'],
	['91 91 98765 43210', '919876543210'],
	['९८७६५४३२१०', '919876543210'],
	['98765 43210,', '919876543210'],
	['https://wa.me/919876543210', '919876543210'],
	['2025550123', '912025550123'],
	['1-2025550123', '12025550123'],
	['+1 (202) 555-0123', '12025550123'],
	['+9876543210', '919876543210'],
	// The plus announces a number of another country.
	['+65 8123 4567', '6581234567'],
	['551187654321', '5511987654321'],
] as const)
	test(`readNewNumber reads “${typed}” as ${number}`, () => assert.deepEqual(readNewNumber(typed), { number }))

for (const typed of ['', '   '])
	test(`readNewNumber requires a number instead of “${typed}”`, () =>
		assert.deepEqual(readNewNumber(typed), { error: NUMBER_REQUIRED }))

for (const typed of [
	'12345',
	'asha',
	'+91 98765',
	'98765432101234567',
	'98765x43210',
	'0987654321',
	'9876543210/9876543211',
])
	test(`readNewNumber refuses “${typed}” with an example`, () =>
		assert.deepEqual(readNewNumber(typed), { error: NUMBER_INVALID }))
