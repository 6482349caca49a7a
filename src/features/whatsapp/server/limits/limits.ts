import { NO_LIMIT, type SenderLimits } from '#features/whatsapp/rules.ts'
import { ask, type GraphAccess } from '../cloud-api.ts'
import { GraphError, isRecord, textOrNull, type CloudApi } from '../graph-client.ts'

type Fields = Record<string, unknown>

const NUMBER_FIELDS = [
	'whatsapp_business_manager_messaging_limit',
	'quality_rating',
	'health_status',
	'name_status',
	'throughput',
	'is_on_biz_app',
]
const WABA_FIELDS = [
	'whatsapp_business_manager_messaging_limit',
	'health_status',
	'business_verification_status',
	'owner_business_info',
	'marketing_messages_onboarding_status',
]

/** Names that Meta gives to its limits. Names that are not listed, such as those before 2025, are unknown limits. */
const LIMITS: Record<string, number> = {
	TIER_250: 250,
	TIER_2K: 2000,
	TIER_10K: 10_000,
	TIER_100K: 100_000,
	TIER_UNLIMITED: NO_LIMIT,
}
const STANDARD_PER_SECOND = 80
/** Messages per second at Meta's throughput level HIGH. */
export const HIGH_PER_SECOND = 1000
/** Messages per second of a number that is used in the WhatsApp Business app as well. */
const PHONE_APP_PER_SECOND = 20
const MAX_LIMIT = 2 ** 31 - 1
const MAX_WORD = 50
const MAX_ADVICE = 500

/** Returns the messages per second that Meta grants a number. */
export function paceOf({
	throughputLevel,
	isOnPhoneApp,
}: Pick<SenderLimits, 'throughputLevel' | 'isOnPhoneApp'>): number {
	if (isOnPhoneApp) return PHONE_APP_PER_SECOND
	return throughputLevel === 'HIGH' ? HIGH_PER_SECOND : STANDARD_PER_SECOND
}

/**
 * Reads the limits, quality and health of a number and its business account. Rejects when Meta does not answer or
 * refuses the access token; a field that Meta refuses is unknown.
 */
export async function getLimits(
	api: CloudApi,
	{ phoneNumberId, wabaId, accessToken }: GraphAccess & { phoneNumberId: string; wabaId: string },
): Promise<SenderLimits> {
	const [number, waba] = await Promise.all([
		askFields(api, phoneNumberId, { fields: NUMBER_FIELDS, accessToken }),
		askFields(api, wabaId, { fields: WABA_FIELDS, accessToken }),
	])
	return parseLimits(number, waba)
}

/**
 * Returns an object's fields. When Meta refuses the whole call, as it does for one field that a version or a token lacks,
 * asks for one field at a time and leaves out the refused ones.
 */
async function askFields(
	api: CloudApi,
	id: string,
	{ fields, accessToken }: GraphAccess & { fields: readonly string[] },
): Promise<Fields> {
	const get = (names: readonly string[]) =>
		ask(api, { method: 'GET', path: `/${encodeURIComponent(id)}?fields=${names.join(',')}`, token: accessToken })
	try {
		return await get(fields)
	} catch (error) {
		if (!isFieldRefusal(error)) throw error
	}
	const parts = await Promise.all(
		fields.map((name) =>
			get([name]).catch((error: unknown) => {
				if (!isFieldRefusal(error)) throw error
				return {}
			}),
		),
	)
	return Object.assign({}, ...parts) as Fields
}

/** Returns true for an unknown field (100) and for a permission that the token lacks (10, 200 to 299). */
function isFieldRefusal(error: unknown): boolean {
	const code = error instanceof GraphError ? (error.fault?.code ?? -1) : -1
	return code === 100 || code === 10 || (code >= 200 && code <= 299)
}

/** Parses Meta's answers about a number and its business account. A field of another form is unknown. */
export function parseLimits(number: Fields, waba: Fields): SenderLimits {
	const health = isRecord(number.health_status) ? number.health_status : waba.health_status
	const owner = isRecord(waba.owner_business_info) ? waba.owner_business_info : {}
	const onboarding = owner.marketing_messages_onboarding_status
	return {
		portfolioId: portfolioOf(health) ?? portfolioOf(waba.health_status) ?? word(owner.id),
		messagingLimit:
			parseLimit(number.whatsapp_business_manager_messaging_limit) ??
			parseLimit(waba.whatsapp_business_manager_messaging_limit),
		quality: upperWord(number.quality_rating),
		healthStatus: isRecord(health) ? upperWord(health.can_send_message) : null,
		healthAdvice: adviceOf(health),
		nameStatus: upperWord(number.name_status),
		verificationStatus: upperWord(waba.business_verification_status),
		throughputLevel: isRecord(number.throughput) ? upperWord(number.throughput.level) : null,
		isOnPhoneApp: typeof number.is_on_biz_app === 'boolean' ? number.is_on_biz_app : null,
		marketingOnboarding:
			upperWord(waba.marketing_messages_onboarding_status) ??
			upperWord(isRecord(onboarding) ? onboarding.status : onboarding),
	}
}

/** Parses a limit, which Meta writes as a name, a number or digits. Returns null for an unknown limit. */
export function parseLimit(value: unknown): number | null {
	if (typeof value === 'string' && Object.hasOwn(LIMITS, value.toUpperCase()))
		return LIMITS[value.toUpperCase()] ?? null
	const isDigits = typeof value === 'string' && /^-?\d{1,15}$/.test(value)
	const count = isDigits ? Number(value) : value
	if (typeof count !== 'number' || !Number.isInteger(count)) return null
	return count === NO_LIMIT || (count > 0 && count <= MAX_LIMIT) ? count : null
}

function entitiesOf(health: unknown): Fields[] {
	const entities = isRecord(health) && Array.isArray(health.entities) ? (health.entities as unknown[]) : []
	return entities.filter(isRecord)
}

function portfolioOf(health: unknown): string | null {
	return word(entitiesOf(health).find(({ entity_type: type }) => type === 'BUSINESS')?.id)
}

/**
 * Returns Meta's advice about the health status: of the entities that have the overall status, the first solution,
 * else the first description of an error or an additional remark. Null while messages can be sent.
 */
function adviceOf(health: unknown): string | null {
	if (!isRecord(health) || health.can_send_message === 'AVAILABLE') return null
	const causes = entitiesOf(health).filter(({ can_send_message: status }) => status === health.can_send_message)
	const errors = causes.flatMap((entity) => (Array.isArray(entity.errors) ? (entity.errors as unknown[]) : []))
	const remarks = causes.flatMap((entity) =>
		Array.isArray(entity.additional_info) ? (entity.additional_info as unknown[]) : [],
	)
	const texts = (name: string) => errors.filter(isRecord).map((error) => error[name])
	const candidates = [...texts('possible_solution'), ...texts('error_description'), ...remarks]
	return candidates.map((text) => bounded(text, MAX_ADVICE)).find((text) => text !== null) ?? null
}

/** Returns a text of at most `max` characters that PostgreSQL can store; null for other values and empty texts. */
function bounded(value: unknown, max: number): string | null {
	return textOrNull(value)?.slice(0, max).toWellFormed().replaceAll('\0', '').trim() || null
}

/** Returns an id or a short word as text. Meta writes ids as texts and as numbers. */
function word(value: unknown): string | null {
	return bounded(typeof value === 'number' ? String(value) : value, MAX_WORD)
}

function upperWord(value: unknown): string | null {
	return word(value)?.toUpperCase() ?? null
}
