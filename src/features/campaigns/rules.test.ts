import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resultText } from './rules.ts'

const NONE = {
	totalCount: 411,
	sentCount: 0,
	deliveredCount: 0,
	readCount: 0,
	repliedCount: 0,
	countsClicks: false,
	clickedCount: 0,
	failedCount: 0,
	arrivingCount: 0,
	cost: 0,
}

test('resultText names the people who got, read and answered a campaign, and its cost', () => {
	const result = { ...NONE, sentCount: 411, deliveredCount: 411, readCount: 304, repliedCount: 14, cost: 2756.9 }
	assert.equal(resultText(result), '411 people got it, 304 read it, 14 replied, ₹2,756.90')
})

test('resultText names the messages sent of all until the first report of delivery', () =>
	assert.equal(
		resultText({ ...NONE, totalCount: 5, sentCount: 4, arrivingCount: 4, failedCount: 1, cost: 4 }),
		'4 of 5 messages sent, 1 failed, ₹4.00',
	))

test('resultText adds all recipients, clicks, failures, and messages still arriving or not confirmed where there are any', () => {
	const result = {
		...NONE,
		sentCount: 399,
		deliveredCount: 386,
		readCount: 304,
		failedCount: 12,
		arrivingCount: 13,
		countsClicks: true,
	}
	assert.equal(
		resultText(result),
		'386 of 411 people got it, 304 read it, 0 replied, 0 clicked, 12 failed, 13 still arriving, ₹0.00',
	)
	assert.equal(
		resultText({ ...result, arrivingCount: 0 }),
		'386 of 411 people got it, 304 read it, 0 replied, 0 clicked, 12 failed, 13 not confirmed by WhatsApp, ₹0.00',
	)
	assert.equal(
		resultText({ ...NONE, totalCount: 1, sentCount: 1, deliveredCount: 1 }),
		'1 person got it, 0 read it, 0 replied, ₹0.00',
	)
})
