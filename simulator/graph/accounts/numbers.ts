import type { Account, App, HealthEntity, Phone } from '#simulator/state/accounts.ts'
import type { Call } from '../call.ts'
import { project } from '../fields.ts'
import type { JsonObject } from '../json.ts'
import { page } from '../paging.ts'
import { pricingAnalytics } from './pricing-analytics.ts'

const DEFAULT_PHONE_FIELDS = [
	'verified_name',
	'code_verification_status',
	'display_phone_number',
	'quality_rating',
	'platform_type',
	'throughput',
	'id',
]

export function getPhone(phone: Phone, call: Call): unknown {
	return showPhone(phone, call)
}

export function listPhones(account: Account, call: Call): unknown {
	return page(account.phones, call, (phone) => showPhone(phone, call))
}

function showPhone(phone: Phone, { state, query }: Call): JsonObject {
	const { digits, country } = phone
	const local = digits.slice(country.length)
	const account = state.directory.accountOf(phone)
	const { limit } = state.directory.portfolioOf(account)
	const fields = {
		id: phone.id,
		verified_name: phone.verified_name,
		display_phone_number: `+${country} ${local.slice(0, 5)} ${local.slice(5)}`.trim(),
		quality_rating: phone.quality,
		quality_score: { score: phone.quality },
		throughput: { level: phone.throughput },
		status: 'CONNECTED',
		name_status: phone.name_status,
		new_name_status: 'NONE',
		code_verification_status: 'VERIFIED',
		platform_type: 'CLOUD_API',
		account_mode: 'LIVE',
		certificate: null,
		eligibility_for_api_business_global_search: 'NON_ELIGIBLE_VERIFIED_LEVEL',
		host_platform: null,
		is_official_business_account: false,
		is_on_biz_app: phone.is_on_biz_app,
		is_pin_enabled: false,
		is_preverified_number: false,
		official_business_account: { oba_status: 'NOT_STARTED' },
		search_visibility: 'NON_VISIBLE',
		messaging_limit_tier: limit,
		whatsapp_business_manager_messaging_limit: limit,
		health_status: healthOf(account, { PHONE_NUMBER: phone.id }),
		webhook_configuration: null,
		last_onboarded_time: null,
	}
	const requested = query.get('fields')
	return project(fields, { requested, defaults: DEFAULT_PHONE_FIELDS, node: 'WhatsAppBusinessPhoneNumber' })
}

/**
 * Returns `health_status` for an object: `own` names entities below the account; the account, its business and its app are
 * always included.
 */
export function healthOf(account: Account, own: Record<string, string> = {}): JsonObject {
	const all = { ...own, WABA: account.id, BUSINESS: account.portfolio_id, APP: account.app_id }
	const entities = Object.entries(all).map(([entity_type, id]) => {
		const problem = account.health[entity_type as HealthEntity]
		if (!problem) return { entity_type, id, can_send_message: 'AVAILABLE' }
		const { can_send_message, ...error } = problem
		return { entity_type, id, can_send_message, errors: [error] }
	})
	const worst = ['BLOCKED', 'LIMITED'].find((status) => entities.some((one) => one.can_send_message === status))
	return { can_send_message: worst ?? 'AVAILABLE', entities }
}

export function getAccount(account: Account, { state, query }: Call): unknown {
	const fields = {
		id: account.id,
		name: account.name,
		currency: account.billing.currency,
		timezone_id: account.billing.timezone_id,
		message_template_namespace: `ns_${account.id}`,
		account_review_status: 'APPROVED',
		business_verification_status: account.business_verification_status,
		marketing_messages_onboarding_status: account.marketing_messages_onboarding_status,
		owner_business_info: { id: account.portfolio_id, name: account.name },
		country: account.billing.country,
		primary_funding_id: account.billing.has_payment_method ? `9${account.id.slice(1)}` : null,
		ownership_type: 'SELF',
		status: 'ACTIVE',
		health_status: healthOf(account),
		primary_business_location: null,
		pricing_analytics: pricingAnalytics(account, state, query.get('fields') ?? ''),
		whatsapp_business_manager_messaging_limit: state.directory.portfolioOf(account).limit,
	}
	const defaults = ['id', 'name', 'timezone_id', 'message_template_namespace']
	return project(fields, { requested: query.get('fields'), defaults, node: 'WhatsAppBusinessAccount' })
}

export function getApp(app: App, { query }: Call): unknown {
	const fields = {
		id: app.id,
		name: app.name,
		link: `https://www.facebook.com/games/?app_id=${app.id}`,
		category: 'Business',
	}
	return project(fields, {
		requested: query.get('fields'),
		defaults: ['category', 'link', 'name', 'id'],
		node: 'Application',
	})
}
