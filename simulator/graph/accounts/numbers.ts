import type { Account, App, Phone } from '#simulator/state/accounts.ts'
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
	const fields = {
		id: phone.id,
		verified_name: phone.verified_name,
		display_phone_number: `+${country} ${local.slice(0, 5)} ${local.slice(5)}`.trim(),
		quality_rating: phone.quality,
		quality_score: { score: phone.quality },
		throughput: { level: phone.throughput },
		status: 'CONNECTED',
		name_status: 'APPROVED',
		new_name_status: 'NONE',
		code_verification_status: 'VERIFIED',
		platform_type: 'CLOUD_API',
		account_mode: 'LIVE',
		certificate: null,
		eligibility_for_api_business_global_search: 'NON_ELIGIBLE_VERIFIED_LEVEL',
		host_platform: null,
		is_official_business_account: false,
		is_on_biz_app: false,
		is_pin_enabled: false,
		is_preverified_number: false,
		official_business_account: { oba_status: 'NOT_STARTED' },
		search_visibility: 'NON_VISIBLE',
		messaging_limit_tier: phone.tier,
		whatsapp_business_manager_messaging_limit: phone.tier,
		health_status: healthOf(state.directory.accountOf(phone), { PHONE_NUMBER: phone.id }),
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
	const can_send_message = 'AVAILABLE'
	// The simulator gives each account a business portfolio of its own.
	const all = { ...own, WABA: account.id, BUSINESS: `2${account.id.slice(1)}`, APP: account.app_id }
	const entities = Object.entries(all).map(([entity_type, id]) => ({ entity_type, id, can_send_message }))
	return { can_send_message, entities }
}

export function getAccount(account: Account, { state, query }: Call): unknown {
	const fields = {
		id: account.id,
		name: account.name,
		currency: account.billing.currency,
		timezone_id: account.billing.timezone_id,
		message_template_namespace: `ns_${account.id}`,
		account_review_status: 'APPROVED',
		business_verification_status: 'verified',
		country: account.billing.country,
		primary_funding_id: account.billing.has_payment_method ? `9${account.id.slice(1)}` : null,
		ownership_type: 'SELF',
		status: 'ACTIVE',
		health_status: healthOf(account),
		primary_business_location: null,
		pricing_analytics: pricingAnalytics(account, state, query.get('fields') ?? ''),
		whatsapp_business_manager_messaging_limit: account.phones[0]?.tier ?? null,
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
