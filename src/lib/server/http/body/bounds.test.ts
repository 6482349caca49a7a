import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as z from 'zod/mini'
import { Entries, JsonList, JsonText, Text, SentTime } from '#lib/fields.ts'
import { boundsOf } from './bounds.ts'

test('boundsOf returns at least the bytes, and exactly the names and values, of the largest JSON that the shape accepts', () => {
	const shape = z.object({
		name: Text(10),
		tags: z.array(Text(5)).check(z.maxLength(3)),
		values: Entries({ key: Text(2), value: z.nullable(Text(4)) }, 2),
		kind: z.optional(z.enum(['a', 'longer'])),
		flag: z._default(z.boolean(), true),
		amount: z.union([z.number(), Text(6)]),
	})
	const largest = {
		name: 'क'.repeat(10),
		tags: ['क'.repeat(5), 'क'.repeat(5), 'क'.repeat(5)],
		values: { कक: 'क'.repeat(4), खख: 'क'.repeat(4) },
		kind: 'longer' as const,
		flag: false,
		amount: -Number.MIN_VALUE,
	}
	assert.ok(shape.safeParse(largest).success)
	const bytes = Buffer.byteLength(JSON.stringify(largest))
	const { bytes: bound, names, values } = boundsOf(shape, 'body')
	assert.ok(bound >= bytes && bound < 2 * bytes, `${bound} for ${bytes}`)
	// Names: six fields and two record keys. Values: the object, ten scalars in it, and one list or object for each of `tags`,
	// `values` and the rest.
	assert.deepEqual({ names, values }, { names: 8, values: 12 })
})

test('boundsOf names the place of a text, list or record without a maximum', () => {
	const unbounded: [z.ZodMiniType, RegExp][] = [
		[z.string(), /^body\.x: the first check of a text must be its length/],
		[z.optional(z.nullable(z.string())), /^body\.x: the first check of a text/],
		[z.string().check(z.maxLength(5)), /the first check of a text/],
		[z.string().check(z.trim(), z.maxLength(5, { abort: true })), /the first check of a text/],
		[z.string().check(z.regex(/^\d+$/), z.maxLength(5, { abort: true })), /the first check of a text/],
		[z.iso.date(), /the first check of a text/],
		[z.email(), /the first check of a text/],
		[z.catch(z.string(), ''), /the first check of a text/],
		[z.union([z.number(), z.string()]), /the first check of a text/],
		[z.pipe(z.string(), z.transform(Number)), /the first check of a text/],
		[z.array(Text(5)), /^body\.x: a list needs a maximum of items/],
		[z.array(z.string()).check(z.maxLength(5)), /^body\.x\[\]: the first check of a text/],
		[z.record(Text(5), Text(5)), /^body\.x: an object with any names needs a maximum of entries/],
		[Entries({ key: z.string(), value: Text(5) }, 5), /^body\.x \(key\): the first check of a text/],
		[JsonText(z.array(Text(5)), 'Not JSON', 100), /a list needs a maximum of items/],
		[JsonList(z.string(), 'Not JSON', { items: 5, length: 100 }), /the first check of a text/],
		[z.unknown(), /cannot hold "unknown"/],
		[z.any(), /cannot hold "any"/],
		[z.looseObject({ a: z.number() }), /cannot hold fields that it does not name/],
	]
	for (const [shape, message] of unbounded) {
		assert.throws(() => boundsOf(z.object({ x: shape }), 'body'), { message }, String(message))
	}
	assert.doesNotThrow(() => boundsOf(z.object({ x: SentTime }), 'body'))
})
