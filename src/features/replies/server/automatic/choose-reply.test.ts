import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BusinessHours } from '#features/replies/contract.ts'
import { HOUR_MS } from '#lib/durations.ts'
import { wordsOf } from '#lib/text/words.ts'
import { chooseReply, closedSince, MAX_IN_A_DAY, type Asked } from './choose-reply.ts'

const OPEN = { from: '10:00', until: '19:00' }
const HOURS: BusinessHours = { week: [OPEN, OPEN, OPEN, OPEN, OPEN, OPEN, null], closedDays: ['2026-11-09'] }
const everyDay = (from: string, until: string) => ({
	week: Array.from({ length: 7 }, () => ({ from, until })),
	closedDays: [],
})
const at = (time: string) => Date.parse(`${time}:00+05:30`)

test('closedSince is null from the opening until the closing, and then the time of the closing', () => {
	assert.equal(closedSince(HOURS, at('2026-11-27T10:00')), null)
	assert.equal(closedSince(HOURS, at('2026-11-27T18:59')), null)
	assert.equal(closedSince(HOURS, at('2026-11-27T19:00')), at('2026-11-27T19:00'))
	assert.equal(closedSince(HOURS, at('2026-11-28T09:59')), at('2026-11-27T19:00'))
})

test('closedSince goes back over Sundays and closed days, and is 0 for a business without opening hours', () => {
	assert.equal(closedSince(HOURS, at('2026-11-29T12:00')), at('2026-11-28T19:00'))
	assert.equal(closedSince(HOURS, at('2026-11-09T12:00')), at('2026-11-07T19:00'))
	assert.equal(closedSince({ week: [], closedDays: [] }, at('2026-11-27T12:00')), 0)
})

test('closedSince reads hours that end after midnight, and the same time twice as the whole day', () => {
	const evening = everyDay('18:00', '02:00')
	for (const open of ['2026-11-27T18:00', '2026-11-28T01:59']) assert.equal(closedSince(evening, at(open)), null)
	for (const closed of ['2026-11-28T02:00', '2026-11-28T17:59'])
		assert.equal(closedSince(evening, at(closed)), at('2026-11-28T02:00'))
	for (const time of ['2026-11-27T00:00', '2026-11-27T23:59'])
		assert.equal(closedSince(everyDay('00:00', '00:00'), at(time)), null)
})

const PHRASES = ['price', 'price list', 'कीमत', 'விலை']
const REPLIES = [
	{ id: 1, kind: 'greeting', phrases: [] },
	{ id: 2, kind: 'away', phrases: [] },
	{ id: 3, kind: 'keyword', phrases: PHRASES.map(wordsOf) },
	{ id: 4, kind: 'keyword', phrases: [['open', 'on', 'sunday']] },
] as const
const OPENED = at('2026-11-27T12:00')
const CLOSED = at('2026-11-27T20:00')

function choose(text: string, given: Partial<Asked> = {}) {
	const asked = { words: wordsOf(text), at: OPENED, isFirst: false, earlier: [], ...given }
	return chooseReply(REPLIES, HOURS, asked)?.id ?? null
}

test('chooseReply prefers a keyword, then the away message, then the greeting', () => {
	assert.equal(choose('the price please', { at: CLOSED, isFirst: true }), 3)
	assert.equal(choose('hello', { at: CLOSED, isFirst: true }), 2)
	assert.equal(choose('hello', { isFirst: true }), 1)
	assert.equal(choose('hello'), null)
	assert.equal(chooseReply(REPLIES, null, { words: [], at: CLOSED, isFirst: false, earlier: [] }), null)
})

test('chooseReply finds whole words and phrases only, in any script, and the first of two keyword replies', () => {
	for (const none of ['priceless', 'pricelist', 'open sunday', 'on sunday open', ''])
		assert.equal(choose(none), null, none)
	for (const some of ['Price?', 'PRICE-LIST', 'इसकी कीमत क्या है', 'விலை என்ன']) assert.equal(choose(some), 3, some)
	assert.equal(choose('Are you open on Sunday?'), 4)
	assert.equal(choose('open on sunday, and the price?'), 3)
})

const sent = (id: number, time: number) => [{ id, at: time }]

test('chooseReply sends the away message once for each closing, and a keyword reply once in an hour', () => {
	assert.equal(choose('hello', { at: CLOSED, earlier: sent(2, CLOSED - 60_000) }), null)
	assert.equal(choose('hello', { at: CLOSED, earlier: sent(2, at('2026-11-26T20:00')) }), 2)
	assert.equal(choose('price', { earlier: sent(3, OPENED - 3_500_000) }), null)
	assert.equal(choose('price', { earlier: sent(3, OPENED - 3_700_000) }), 3)
	assert.equal(choose('price', { at: CLOSED, earlier: sent(3, CLOSED - 60_000) }), 2)
})

test('chooseReply answers no message right after a keyword reply, and only a keyword right after a greeting', () => {
	for (const ago of [0, 2000]) assert.equal(choose('price', { earlier: sent(4, OPENED - ago) }), null)
	assert.equal(choose('price', { earlier: sent(4, OPENED - 4000) }), 3)
	assert.equal(choose('hello', { at: CLOSED, earlier: sent(1, CLOSED - 2000) }), null)
})

test('chooseReply answers a message that was written before an automatic reply, and a keyword right after a greeting or away message', () => {
	assert.equal(choose('price', { earlier: sent(4, OPENED + 500) }), 3)
	assert.equal(choose('hello', { at: CLOSED, earlier: sent(3, CLOSED + 500) }), 2)
	for (const id of [1, 2]) assert.equal(choose('price', { earlier: sent(id, OPENED - 2000) }), 3)
})

test('chooseReply is silent after MAX_IN_A_DAY replies in 24 hours', () => {
	const earlier = Array.from({ length: MAX_IN_A_DAY }, (_, index) => ({ id: 3, at: OPENED - (index + 2) * HOUR_MS }))
	assert.equal(choose('price', { earlier }), null)
	assert.equal(choose('price', { earlier: earlier.slice(1) }), 3)
})
