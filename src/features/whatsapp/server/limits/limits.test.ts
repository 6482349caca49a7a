import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseLimit, parseLimits } from './limits.ts'

test('parseLimit reads names, numbers and digits, and returns null for old names and other values', () => {
	const known = ['TIER_250', 'TIER_2K', 'tier_10k', 'TIER_100K', 'TIER_UNLIMITED', 250, 2000, -1, '2000', '-1']
	assert.deepEqual(known.map(parseLimit), [250, 2000, 10_000, 100_000, -1, 250, 2000, -1, 2000, -1])
	const unknown = [
		'TIER_50',
		'TIER_1K',
		'UNTIERED',
		'TIER_5M',
		'',
		'2e3',
		'toString',
		0,
		-2,
		1.5,
		NaN,
		1e12,
		null,
		{},
		undefined,
	]
	assert.deepEqual(
		unknown.map(parseLimit),
		unknown.map(() => null),
	)
})

test('parseLimits of empty or malformed answers returns null for every field', () => {
	const empty = parseLimits({}, {})
	assert.deepEqual([...new Set(Object.values(empty))], [null])
	const malformed = {
		health_status: { entities: [null, 3, { entity_type: 'BUSINESS' }] },
		quality_rating: 7 as unknown,
		throughput: 'HIGH',
		is_on_biz_app: 'yes',
	}
	assert.deepEqual(parseLimits(malformed, { owner_business_info: [] }), { ...empty, quality: '7' })
})

test('parseLimits returns the limit, the portfolio and the words of Meta, known or not, in upper case', () => {
	const number = {
		whatsapp_business_manager_messaging_limit: 'TIER_2K',
		quality_rating: 'green',
		name_status: 'SOMETHING_NEW',
		throughput: { level: 'HIGH' },
		is_on_biz_app: true,
		health_status: { can_send_message: 'AVAILABLE', entities: [{ entity_type: 'BUSINESS', id: 22 }] },
	}
	const waba = {
		business_verification_status: 'pending_need_more_info',
		owner_business_info: { id: '99', marketing_messages_onboarding_status: { status: 'NOT_STARTED' } },
	}
	assert.deepEqual(parseLimits(number, waba), {
		portfolioId: '22',
		messagingLimit: 2000,
		quality: 'GREEN',
		healthStatus: 'AVAILABLE',
		healthAdvice: null,
		nameStatus: 'SOMETHING_NEW',
		verificationStatus: 'PENDING_NEED_MORE_INFO',
		throughputLevel: 'HIGH',
		isOnPhoneApp: true,
		marketingOnboarding: 'NOT_STARTED',
	})
	const onWaba = { whatsapp_business_manager_messaging_limit: -1, marketing_messages_onboarding_status: 'ONBOARDED' }
	const { portfolioId, messagingLimit, marketingOnboarding } = parseLimits({}, { ...waba, ...onWaba })
	assert.deepEqual([portfolioId, messagingLimit, marketingOnboarding], ['99', -1, 'ONBOARDED'])
})

const error = (possible_solution?: string, error_description?: string) => ({
	error_code: 141010,
	possible_solution,
	error_description,
})
const read = (health_status: unknown) => parseLimits({ health_status }, {})

test('parseLimits returns the solution of the entity that is to blame for the health status', () => {
	const entities = [
		{ entity_type: 'WABA', id: '1', can_send_message: 'LIMITED', errors: [error('Verify the business.')] },
		{
			entity_type: 'BUSINESS',
			id: '2',
			can_send_message: 'BLOCKED',
			errors: [error('', 'Locked'), error(`Pay\0 the bill. ${'x'.repeat(900)}`)],
		},
	]
	const blocked = read({ can_send_message: 'BLOCKED', entities })
	assert.equal(blocked.healthStatus, 'BLOCKED')
	assert.match(blocked.healthAdvice ?? '', /^Pay the bill\. x+$/)
	assert.ok((blocked.healthAdvice ?? '').length <= 500)
	assert.equal(read({ can_send_message: 'LIMITED', entities }).healthAdvice, 'Verify the business.')
	const described = [{ can_send_message: 'BLOCKED', errors: [error(undefined, 'The account is locked.')] }]
	assert.equal(read({ can_send_message: 'BLOCKED', entities: described }).healthAdvice, 'The account is locked.')
	const remarked = [{ can_send_message: 'LIMITED', additional_info: ['The display name is not approved.'] }]
	assert.equal(
		read({ can_send_message: 'LIMITED', entities: remarked }).healthAdvice,
		'The display name is not approved.',
	)
})
