import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextUsage, readUsage, usageChanges, usageText, type Usage } from './usage.ts'

const MARKETING = { category: 'marketing', type: 'regular' }
const UTILITY = { category: 'utility', type: 'regular' }
const FACTS = { recipient: '9198100', category: 'MARKETING', isArriving: false }
const ARRIVING = { ...FACTS, isArriving: true }

const state = (usage: string | null, arrivedAt: Date | null) => ({ usage, arrivedAt })

test('usageText is short for the usual words, and readUsage returns every usage as it was', () => {
	const usages: [Usage, string][] = [
		[{ ...MARKETING, source: 'delivered', market: 'IN' }, 'dmr'],
		[{ category: 'service', type: 'free_customer_service', source: 'read', market: 'IN' }, 'rsc'],
		[{ ...UTILITY, source: 'estimate', market: 'rest-of-africa' }, 'eur/rest-of-africa'],
		[
			{ category: 'referral_conversion', type: 'free_entry_point', source: 'sent', market: 'AE' },
			's/referral_conversion/free_entry_point/AE',
		],
		[{ category: 'group_marketing', type: 'regular', source: 'sent', market: 'IN' }, 's/group_marketing/regular'],
	]
	for (const [usage, text] of usages) {
		assert.equal(usageText(usage), text)
		assert.deepEqual(readUsage(text), usage)
	}
	assert.throws(() => readUsage('xyz'))
})

test('nextUsage takes the pricing of the highest status, whatever the order of the updates', () => {
	const updates = [
		{ status: 'sent', pricing: { category: 'service', type: 'regular' } },
		{ status: 'delivered', pricing: UTILITY },
		{ status: 'read', pricing: null },
	] as const
	for (const order of [
		[0, 1, 2],
		[2, 1, 0],
		[1, 0, 2],
		[1, 1, 0],
		[2, 0, 1],
	]) {
		let known: string | null = null
		let isArrived = false
		for (const at of order) {
			const update = updates[at]
			assert.ok(update)
			const isArriving: boolean = !isArrived && update.status !== 'sent'
			known = nextUsage(known, update, { ...FACTS, isArriving })
			isArrived ||= isArriving
		}
		assert.equal(known, 'dur', order.join(' '))
	}
})

test('nextUsage estimates a message that arrives without any pricing in its own category, until an update has pricing', () => {
	assert.equal(nextUsage(null, { status: 'sent' }, FACTS), null)
	assert.equal(nextUsage(null, { status: 'read', pricing: null }, ARRIVING), 'emr')
	assert.equal(nextUsage('emr', { status: 'sent', pricing: UTILITY }, FACTS), 'sur')
	assert.equal(nextUsage('sur', { status: 'delivered' }, ARRIVING), 'sur')
	// WhatsApp does not charge for a failed message.
	assert.equal(nextUsage(null, { status: 'failed', pricing: UTILITY }, FACTS), null)
})

test('nextUsage changes nothing for a sent status whose pricing equals the estimate', () => {
	assert.equal(nextUsage(null, { status: 'sent', pricing: MARKETING }, FACTS), null)
	assert.equal(nextUsage('emr', { status: 'sent', pricing: MARKETING }, FACTS), 'emr')
	assert.equal(nextUsage('sur', { status: 'sent', pricing: MARKETING }, FACTS), 'sur')
	assert.equal(nextUsage('emr', { status: 'delivered', pricing: MARKETING }, FACTS), 'dmr')
})

test('nextUsage finds the market by the recipient, and keeps it when the recipient is erased', () => {
	const update = { status: 'delivered', pricing: MARKETING } as const
	assert.equal(nextUsage(null, update, { ...ARRIVING, recipient: '9715012' }), 'dmr/AE')
	assert.equal(nextUsage(null, update, { ...ARRIVING, recipient: 'DE.1349' }), 'dmr/DE')
	assert.equal(nextUsage(null, update, { ...ARRIVING, recipient: 'erased:' }), 'dmr/unknown')
	assert.equal(nextUsage('smr/AE', update, { ...ARRIVING, recipient: 'erased:' }), 'dmr/AE')
})

test('nextUsage estimates a category that is not one word as `wordOf` rewrites it, and a missing category as utility', () => {
	const arrivedAt = new Date('2026-11-25T12:00:00Z')
	const categories = ['', 'Utility (new)', 'MARKETING/LITE', 'उपयोगिता', 'X'.repeat(5000)]
	const counted = categories.map((category) => {
		const usage = nextUsage(null, { status: 'delivered' }, { ...ARRIVING, category })
		const [change] = usageChanges([{ was: { usage: null, arrivedAt: null }, now: { usage, arrivedAt } }])
		return change?.category
	})
	assert.deepEqual(counted, ['utility', 'utility__new_', 'marketing_lite', '________', 'x'.repeat(40)])
})

test('usageChanges counts a message on the Indian day of its arrival, and moves it when day or pricing change', () => {
	const midnight = new Date('2026-11-25T18:30:00Z')
	const before = new Date(midnight.getTime() - 1)
	const row = { market: 'IN', category: 'marketing', type: 'regular', isEstimate: false }
	assert.deepEqual(
		usageChanges([
			{ was: state('smr', null), now: state('dmr', midnight) },
			{ was: state(null, null), now: state('rmr', midnight) },
			{ was: state('emr', midnight), now: state('dmr', before) },
			{ was: state('dmr', midnight), now: state('dmr', midnight) },
			{ was: state(null, midnight), now: state(null, before) },
			{ was: state('dmr', midnight), now: state('rmr', midnight) },
		]),
		[
			{ ...row, day: '2026-11-25', messages: 1 },
			{ ...row, day: '2026-11-26', messages: 2 },
			{ ...row, day: '2026-11-26', isEstimate: true, messages: -1 },
		],
	)
})
