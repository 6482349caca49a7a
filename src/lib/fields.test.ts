import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as z from 'zod/mini'
import { cpuMs } from '#test/readers/cpu-time.ts'
import { Email, Entries, JsonList, OptionalText, Required, Search, Text, SentTime, TrimmedText } from './fields.ts'

function messages(shape: z.ZodMiniType, value: unknown): string[] {
	return (shape.safeParse(value).error?.issues ?? []).map(({ message }) => message)
}

test('Email refuses 80 kB that resemble an address in less than 50 ms of processor time', () => {
	for (const text of [`a@${'.'.repeat(80_000)}@`, `${'a'.repeat(80_000)}@`, `a@${'b.'.repeat(40_000)} `]) {
		assert.ok(cpuMs(() => assert.deepEqual(messages(Email, text), ['Invalid email format'])) < 50)
	}
})

test('Email accepts exactly one @, followed by a domain with a dot', () => {
	for (const text of ['a@b.c', ' asha@shop.example.in ', 'a+b@c..d', 'a@.b.c', `${'a'.repeat(248)}@b.com`]) {
		assert.deepEqual(messages(Email, text), [], text)
	}
	for (const text of ['a', 'a@b', 'a@.b', 'a@b.', '@b.c', 'a@b@c.d', 'a b@c.d', `${'a'.repeat(249)}@b.com`]) {
		assert.deepEqual(messages(Email, text), ['Invalid email format'], text)
	}
	assert.deepEqual(messages(Email, ' '), ['Email is required'])
})

test('Text refuses a text that is too long before any pattern, transform or rule runs', () => {
	const unseen = z.refine<string>(() => assert.fail('looked at'), 'Wrong')
	assert.deepEqual(messages(Text(3).check(unseen), 'four'), ['At most 3 characters are allowed'])
	assert.deepEqual(messages(TrimmedText(3, { tooLong: 'Too long' }).check(unseen), ' four '), ['Too long'])
	assert.deepEqual(messages(TrimmedText(3).check(unseen), `a${' '.repeat(1_000_000)}`), [
		'At most 3 characters are allowed',
	])
})

test('TrimmedText does not count surrounding spaces towards the length', () => {
	assert.equal(Required('Name is required', 4).parse('  Asha  '), 'Asha')
	assert.equal(OptionalText(4).parse('\n Asha\n'), 'Asha')
})

test('Across runs its rule although an address is empty', () => {
	const shape = z.object({ email: Email, agreed: z.boolean() }).check(z.refine(({ agreed }) => agreed, 'Agree first'))
	assert.deepEqual(messages(shape, { email: '', agreed: false }), ['Email is required', 'Agree first'])
})

test('Search takes the first 200 characters of a longer text', () => {
	assert.equal(Search.parse(` ${'x'.repeat(300)}`), 'x'.repeat(200))
})

test('SentTime accepts RFC 3339 in UTC or with an offset', () => {
	for (const time of [
		'2026-11-21T10:30:00.000Z',
		'2026-11-21T10:30:00Z',
		'2026-11-21T16:00:00+05:30',
		'2026-11-20T22:30:00-12:00',
	])
		assert.deepEqual(messages(SentTime, time), [])
	for (const time of ['2026-11-21', '2026-11-21T10:30:00', '2026-11-21T10:30:00+15:00', '0000-01-01T00:00:00Z'])
		assert.deepEqual(messages(SentTime, time), ['Not a valid time'], time)
	assert.deepEqual(messages(SentTime, `2026-11-21T10:30:00.${'0'.repeat(100)}Z`), ['Not a valid time'])
})

test('Entries and JsonList refuse more entries than their maximum', () => {
	const record = Entries({ key: Text(5), value: Text(5) }, 2, 'At most 2 variables are allowed')
	assert.deepEqual(messages(record, { a: '1', b: '2' }), [])
	assert.deepEqual(messages(record, { a: '1', b: '2', c: '3' }), ['At most 2 variables are allowed'])
	const list = JsonList(Text(5), 'Not a list', { items: 2, length: 100 })
	assert.deepEqual(list.parse('["a","b"]'), ['a', 'b'])
	assert.deepEqual(list.parse(undefined), [])
	assert.deepEqual(messages(list, '["a","b","c"]'), ['At most 2 are allowed'])
	assert.deepEqual(messages(list, ['a', 'b', 'c']), ['Not a list'])
	assert.deepEqual(messages(list, `["${'a'.repeat(100)}"]`), ['Not a list'])
})
