import assert from 'node:assert/strict'
import { test } from 'node:test'
import { delayText, toneOfDelay } from './delay.ts'

for (const { waiting, lagSeconds, text, tone } of [
	{ waiting: 0, lagSeconds: 0, text: 'None', tone: 'ok' },
	{ waiting: 3, lagSeconds: 2, text: '3 waiting, 2 s', tone: 'ok' },
	{ waiting: 1200, lagSeconds: 59, text: '1,200 waiting, 59 s', tone: 'warn' },
	{ waiting: 5, lagSeconds: 200, text: '5 waiting, 3 min', tone: 'error' },
])
	test(`${waiting} deliveries that wait for ${lagSeconds} s are shown as “${text}” (${tone})`, () => {
		assert.equal(delayText({ waiting, lagSeconds }), text)
		assert.equal(toneOfDelay({ waiting, lagSeconds }), tone)
	})
