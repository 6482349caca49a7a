import assert from 'node:assert/strict'
import { test } from 'node:test'
import { afterRefusal, counts, endpointOf, ROUTE_CODES, type RouteChoice } from './endpoint.ts'

const MARKETING = {
	category: 'MARKETING',
	onboarding: 'ONBOARDED',
	setting: 'automatic',
	choice: null,
	refusedBy: null,
} as const

test('endpointOf takes the marketing route for marketing of an onboarded account, and messages for everything else', () => {
	for (const [given, endpoint] of [
		[{}, 'marketing_messages'],
		[{ category: 'UTILITY' }, 'messages'],
		[{ category: 'AUTHENTICATION' }, 'messages'],
		[{ category: 'SOMETHING_NEW' }, 'messages'],
		[{ category: '' }, 'messages'],
		[{ onboarding: 'ELIGIBLE' }, 'messages'],
		[{ onboarding: 'SOMETHING_NEW' }, 'messages'],
		[{ onboarding: null }, 'messages'],
		[{ setting: 'messages' }, 'messages'],
		[{ choice: 'messages' }, 'messages'],
		[{ category: 'UTILITY', choice: 'marketing_messages' }, 'marketing_messages'],
		[{ onboarding: null, choice: 'marketing_messages' }, 'marketing_messages'],
		[{ setting: 'messages', choice: 'marketing_messages' }, 'messages'],
		[{ refusedBy: 'marketing_messages' }, 'messages'],
		[{ refusedBy: 'messages', choice: 'messages' }, 'marketing_messages'],
		[{ refusedBy: 'messages', setting: 'messages' }, 'messages'],
	] as const)
		assert.equal(endpointOf({ ...MARKETING, ...given }), endpoint, JSON.stringify(given))
})

test('afterRefusal sends a message on the other endpoint once, and fails it when both have refused it', () => {
	const first = { setting: 'automatic', refusedBy: null } as const
	for (const code of [131055, 134100, 134101, 134102]) {
		const next = afterRefusal({ ...first, code, endpoint: 'marketing_messages' })
		assert.ok(next && next !== 'failed', String(code))
		assert.equal(afterRefusal({ ...first, code, endpoint: 'messages' }), null, 'the code of the other endpoint')
	}
	for (const code of [131061, 131063]) {
		const next = afterRefusal({ ...first, code, endpoint: 'messages' })
		assert.ok(next && next !== 'failed', String(code))
		assert.equal(afterRefusal({ ...first, code, endpoint: 'marketing_messages' }), null)
	}
	for (const code of ROUTE_CODES) {
		assert.equal(afterRefusal({ ...first, code, endpoint: 'messages', refusedBy: 'marketing_messages' }), 'failed')
		assert.equal(afterRefusal({ ...first, code, endpoint: 'marketing_messages', refusedBy: 'messages' }), 'failed')
	}
	assert.equal(afterRefusal({ ...first, code: 132001, endpoint: 'marketing_messages' }), null)
	assert.equal(
		afterRefusal({ code: 131063, endpoint: 'messages', setting: 'messages', refusedBy: null }),
		null,
		'an account that chose the ordinary route gets no other one',
	)
})

test('afterRefusal chooses the other endpoint for ten minutes while a template is prepared, and for the account after 134102', () => {
	const at = { endpoint: 'marketing_messages', setting: 'automatic', refusedBy: null } as const
	const choiceAfter = (code: number) => {
		const next = afterRefusal({ ...at, code })
		return next && next !== 'failed' ? [next.forSeconds, next.scope, next.rereads] : next
	}
	assert.deepEqual(choiceAfter(134101), [600, 'template', false])
	assert.deepEqual(choiceAfter(134102), [7 * 86_400, 'account', false])
	assert.deepEqual(choiceAfter(131055), [30 * 86_400, 'template', true])
	assert.deepEqual(choiceAfter(134100), [30 * 86_400, 'template', true])
})

test('counts is false after the time of a choice, and once category or onboarding state have changed', () => {
	const choice: RouteChoice = {
		name: 'hello',
		language: 'en',
		endpoint: 'messages',
		code: 131055,
		category: 'MARKETING',
		onboarding: 'ONBOARDED',
		untilMs: 1000,
	}
	const now = { category: 'MARKETING', onboarding: 'ONBOARDED', nowMs: 999 }
	assert.equal(counts(choice, now), true)
	assert.equal(counts(choice, { ...now, nowMs: 1000 }), false)
	assert.equal(counts(choice, { ...now, category: 'UTILITY' }), false)
	assert.equal(counts(choice, { ...now, onboarding: null }), false)
	const ofAccount = { ...choice, name: '*', category: '' }
	assert.equal(counts(ofAccount, now), true)
	assert.equal(counts(ofAccount, { ...now, onboarding: 'ELIGIBLE' }), false)
})
