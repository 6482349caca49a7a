import assert from 'node:assert/strict'
import { test } from 'node:test'
import { notificationOf } from './kinds.ts'

const textFor = (name: string) => notificationOf.campaignCompleted({ id: 1, name }).text

test('a notification isolates a name in the other writing direction, and leaves other names unchanged', () => {
	assert.equal(textFor('Diwali offer'), 'Campaign "Diwali offer" is completed')
	assert.equal(textFor('عرض العيد'), 'Campaign "\u2068عرض العيد\u2069" is completed')
	assert.equal(textFor('a\u202Ecba'), 'Campaign "acba" is completed')
})

test('campaignCompleted contains no figures, because later status updates would change them', () => {
	const counted = { id: 1, name: 'Diwali', accepted: 3, failed: 2, chargedPaise: 285 }
	assert.doesNotMatch(notificationOf.campaignCompleted(counted).text, /\d/)
})
