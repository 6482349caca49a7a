import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { endpoint } from '#lib/endpoint.ts'
import { Entries, Text, TrimmedText } from '#lib/fields.ts'
import { InvalidInput } from '#lib/server/errors.ts'
import { createPartsReader } from './read-parts.ts'

const Item = z.object({ to: TrimmedText(5), values: z._default(Entries({ key: Text(5), value: Text(5) }, 50), {}) })
const Body = z.strictObject({
	name: z.optional(Text(5)),
	items: z.array(Item).check(z.minLength(1, 'Send one'), z.maxLength(1000, 'At most 1,000')),
	tags: z._default(z.nullable(z.array(Text(3))), []),
})
const readParts = createPartsReader(endpoint('POST /items', { access: 'agent', body: Body, response: Body }))
const read = async (body: unknown) => (await readParts({ body } as FastifyRequest, null)).body

async function faultsOf(value: unknown): Promise<{ message: string; places: string[]; count: number }> {
	try {
		await read(value)
	} catch (error) {
		assert.ok(error instanceof InvalidInput, String(error))
		const places = error.issues.map(({ path }) => path.join('.'))
		return { message: error.message, places, count: error.issueCount }
	}
	return { message: '', places: [], count: 0 }
}

test('a reader reads a list as its shape does: trims texts, fills defaults, and drops fields that the shape does not name', async () => {
	const given = { items: Array.from({ length: 450 }, () => ({ to: ' a ', more: 1 })), tags: null }
	assert.deepEqual(await read(given), Body.parse({ ...given, items: given.items.map(({ to }) => ({ to })) }))
	assert.deepEqual(((await read({ items: [{ to: 'b' }] })) as { tags: unknown }).tags, [])
})

test('a reader describes the first 1,000 faults in the order of the shape, and counts all', async () => {
	const { message, places } = await faultsOf({ tags: ['long'], items: [{ to: 'a' }, { to: 7 }], name: 1, other: 1 })
	assert.match(message, /^name: Invalid input/)
	assert.deepEqual(places, ['name', 'items.1.to', 'tags.0', 'other'])
	const values = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`v${index}`, 1]))
	const many = await faultsOf({ items: Array.from({ length: 1000 }, () => ({ to: 'a', values })) })
	assert.deepEqual([many.places.length, many.count], [1000, 50_000])
	assert.equal(many.places[0], 'items.0.values.v0')
})

test('a reader refuses a list of the wrong length or kind with the message of its shape', async () => {
	assert.deepEqual(await faultsOf({ items: [] }), { message: 'Send one', places: ['items'], count: 1 })
	assert.deepEqual(await faultsOf({ items: Array.from({ length: 1001 }, () => ({})) }), {
		message: 'At most 1,000',
		places: ['items'],
		count: 1,
	})
	assert.match((await faultsOf({ items: 'a' })).message, /^items: Invalid input/)
	await assert.rejects(read([]), { status: 400, code: 'body_not_an_object' })
})

test('a reader makes texts storable in the fields that the shape names', async () => {
	const items = [{ to: 'a\0b\ud800', values: { 'k\0': '\udc00' } }]
	assert.deepEqual(await read({ items }), { items: [{ to: 'a b\ufffd', values: { 'k ': '\ufffd' } }], tags: [] })
})
