import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MINUTE_MS } from '#lib/durations.ts'
import {
	afterRefusal,
	isInForce,
	endpointOf,
	isJustOnboarded,
	otherEndpoint,
	ROUTE_CODES,
	type AfterRefusal,
	type RouteChoice,
} from './endpoint.ts'

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

const FIRST = { setting: 'automatic', refusedBy: null, otherCode: null, isJustOnboarded: false } as const

test('afterRefusal reroutes a template whose endpoint refused it, and for ten minutes only while WhatsApp prepares it', () => {
	for (const [code, endpoint, forSeconds, scope, rereads] of [
		[131055, 'marketing_messages', 30 * 86_400, 'template', true],
		[134100, 'marketing_messages', 30 * 86_400, 'template', true],
		[134101, 'marketing_messages', 600, 'template', false],
		[134102, 'marketing_messages', 7 * 86_400, 'account', false],
		[131063, 'messages', 30 * 86_400, 'template', true],
		[131061, 'messages', 30 * 86_400, 'template', false],
	] as const) {
		const next = afterRefusal({ ...FIRST, code, endpoint })
		assert.deepEqual(next, { kind: 'reroute', by: endpoint, forSeconds, scope, rereads })
		assert.equal(
			afterRefusal({ ...FIRST, code, endpoint: otherEndpoint(endpoint) }),
			null,
			'the code of the other endpoint',
		)
	}
	assert.equal(afterRefusal({ ...FIRST, code: 132001, endpoint: 'marketing_messages' }), null)
	const ordinary = { ...FIRST, code: 131063, endpoint: 'messages', setting: 'messages' } as const
	assert.equal(afterRefusal(ordinary), null, 'an account that chose the ordinary route gets no other one')
	assert.equal(afterRefusal({ ...ordinary, refusedBy: 'marketing_messages', otherCode: 134101 }), null)
})

test('afterRefusal reads codes 100 and 131009 of the marketing route as "being prepared" only just after the onboarding', () => {
	for (const code of [100, 131009]) {
		const given = { ...FIRST, code, endpoint: 'marketing_messages' } as const
		assert.equal(afterRefusal(given), null)
		const next = afterRefusal({ ...given, isJustOnboarded: true })
		assert.ok(next?.kind === 'reroute' && next.forSeconds === 600, String(code))
		assert.equal(afterRefusal({ ...given, endpoint: 'messages', isJustOnboarded: true }), null, 'a value is wrong')
	}
	const joined = { onboarding: 'ONBOARDED', onboardedAtMs: 0 }
	assert.equal(isJustOnboarded(joined, 29 * MINUTE_MS), true)
	assert.equal(isJustOnboarded(joined, 30 * MINUTE_MS), false)
	assert.equal(isJustOnboarded({ ...joined, onboardedAtMs: null }, 1), false)
	assert.equal(isJustOnboarded({ ...joined, onboarding: 'ELIGIBLE' }, 1), false)
})

/**
 * Refusals by both endpoints: the code of the marketing route, the code of the ordinary route, and the result of
 * `afterRefusal`, which is the same in either order.
 */
const PAIRS: [number, number, { isJustOnboarded?: boolean; next: AfterRefusal }][] = [131061, 131063].flatMap(
	(ordinary): [number, number, { isJustOnboarded?: boolean; next: AfterRefusal }][] => [
		[131055, ordinary, { next: { kind: 'pause', code: 131055 } }],
		[134100, ordinary, { next: { kind: 'pause', code: 134100 } }],
		[134102, ordinary, { next: { kind: 'pause', code: 134102 } }],
		[134101, ordinary, { next: { kind: 'wait', forSeconds: 600 } }],
		[100, ordinary, { isJustOnboarded: true, next: { kind: 'wait', forSeconds: 600 } }],
		[131009, ordinary, { isJustOnboarded: true, next: { kind: 'wait', forSeconds: 600 } }],
	],
)

for (const [marketing, ordinary, { isJustOnboarded: isNew = false, next }] of PAIRS)
	test(`a message that is refused with ${marketing} and ${ordinary} does not fail: ${next.kind}`, () => {
		const given = { setting: 'automatic', isJustOnboarded: isNew } as const
		const first = { ...given, refusedBy: 'marketing_messages', otherCode: marketing } as const
		assert.deepEqual(afterRefusal({ ...first, code: ordinary, endpoint: 'messages' }), next)
		const second = { ...given, refusedBy: 'messages', otherCode: ordinary } as const
		assert.deepEqual(afterRefusal({ ...second, code: marketing, endpoint: 'marketing_messages' }), next)
	})

test('the pairs contain every code of ROUTE_CODES, and a message whose first refusal has no known code is rerouted', () => {
	const tested = new Set(PAIRS.flatMap(([marketing, ordinary]) => [marketing, ordinary]))
	assert.ok(ROUTE_CODES.every((code) => tested.has(code)))
	const stale = { ...FIRST, code: 131063, endpoint: 'messages', refusedBy: 'marketing_messages' } as const
	assert.equal(afterRefusal(stale)?.kind, 'reroute')
})

test('isInForce returns false for a choice that has ended, or whose category or onboarding has changed since', () => {
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
	assert.equal(isInForce(choice, now), true)
	assert.equal(isInForce(choice, { ...now, nowMs: 1000 }), false)
	assert.equal(isInForce(choice, { ...now, category: 'UTILITY' }), false)
	assert.equal(isInForce(choice, { ...now, onboarding: null }), false)
	const ofAccount = { ...choice, name: '*', category: '' }
	assert.equal(isInForce(ofAccount, now), true)
	assert.equal(isInForce(ofAccount, { ...now, onboarding: 'ELIGIBLE' }), false)
})
