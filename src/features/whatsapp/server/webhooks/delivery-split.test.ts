import assert from 'node:assert/strict'
import { test } from 'node:test'
import { kindsOf } from './delivery-reader.ts'
import { MAX_UNITS, splitDelivery, unitsOf } from './delivery-split.ts'

const change = (field: string, value: unknown) => ({ field, value })
const bodyOf = (...changes: unknown[]) => JSON.stringify({ object: 'whatsapp', entry: [{ id: '1', changes }] })
const read = (body: string) => kindsOf({ id: 1, body, receivedAt: new Date() })
const items = (count: number, item: object = {}) =>
	Array.from({ length: count }, (_, at) => ({ id: String(at), ...item }))

/** Splits a body as ingest does, while it has more units than a batch, and returns the parts. */
function parts(body: string): string[] {
	if (unitsOf(read(body)) <= MAX_UNITS) return [body]
	const { first, rest } = splitDelivery(body)
	return rest === null ? [first] : [first, ...parts(rest)]
}

const idsIn = (body: string) => Array.from(body.matchAll(/"id":"(\d+)"/g), ([, id]) => Number(id))

test('a split webhook of each kind keeps all items in their order, and no part exceeds the units of a batch', () => {
	const metadata = { phone_number_id: '7' }
	const threads = [0, 1, 2].map((at) => ({ thread: at, messages: items(3000, { thread: at }) }))
	const large = {
		messages: bodyOf(change('messages', { metadata, messages: items(9000, { type: 'text' }) })),
		statuses: bodyOf(change('messages', { metadata, statuses: items(9000) })),
		smb_message_echoes: bodyOf(change('smb_message_echoes', { metadata, message_echoes: items(9000) })),
		smb_app_state_sync: bodyOf(change('smb_app_state_sync', { metadata, state_sync: items(9000) })),
		history: bodyOf(change('history', { metadata, history: [{ metadata: { phase: 1 }, threads }] })),
	}
	for (const [kind, body] of Object.entries(large)) {
		assert.equal(unitsOf(read(body)), kind === 'statuses' ? 9000 : 18_000, kind)
		const split = parts(body)
		assert.equal(split.length, kind === 'statuses' ? 2 : 3, kind)
		assert.deepEqual(
			split.flatMap((part) => idsIn(part).slice(1)),
			idsIn(body).slice(1),
			kind,
		)
		for (const part of split) {
			assert.ok(unitsOf(read(part)) <= MAX_UNITS, kind)
			assert.ok(part.includes('"phone_number_id":"7"'), kind)
		}
	}
})

test('a note about a changed number and a shared number count as many units, so that a batch joins at most a hundred people', () => {
	const body = bodyOf(change('messages', { messages: items(250, { type: 'system' }) }))
	assert.deepEqual(
		parts(body).map((part) => idsIn(part).length - 1),
		[100, 100, 50],
	)
	const shared = items(1, { type: 'contacts', contacts: [{ origin: 'contact_request' }] })
	const other = items(1, { type: 'contacts', contacts: [{ origin: 'other' }, null] })
	assert.equal(unitsOf(read(bodyOf(change('messages', { messages: shared })))), 80)
	assert.equal(unitsOf(read(bodyOf(change('messages', { messages: other })))), 2)
})

test('changes of unknown kinds stay in the last part, and long integers and strange shapes are kept', () => {
	const unknown = '{"field":"brand_new","value":{"id":12345678901234567890}}'
	const body = bodyOf(change('messages', { messages: items(MAX_UNITS / 2 + 5) }), null, change('messages', 7)).replace(
		'null',
		unknown,
	)
	const split = parts(body)
	assert.equal(split.length, 2)
	assert.ok(!split[0]?.includes('brand_new') && split[1]?.includes(unknown))
	assert.equal(split.map(idsIn).flat().length, idsIn(body).length + 1)
})

test('a large webhook whose field has a NUL is split as others are, and one that cannot be split stays whole', () => {
	const body = bodyOf(change('messages\0', { messages: items(9000) }))
	assert.deepEqual(
		parts(body).flatMap((part) => idsIn(part).slice(1)),
		idsIn(body).slice(1),
	)
	assert.equal(parts(body).length, 3)
	const unknown = bodyOf(change('brand_new', { messages: items(9000) }))
	assert.deepEqual(splitDelivery(unknown), { first: unknown, rest: null })
})
