import type { NetworkState } from '#simulator/network-state.ts'
import type { Volume } from '#simulator/network/charges/charges.ts'
import type { Account } from '#simulator/state/accounts.ts'
import { startOfDay } from '#simulator/state/time-zones.ts'
import { invalidParam, notOneOf } from '../errors.ts'
import type { JsonObject } from '../json.ts'

const FIELD = 'pricing_analytics'
const DAY_SECONDS = 24 * 60 * 60
/** Meta keeps a year of pricing. */
const MAX_SECONDS = 366 * DAY_SECONDS
const DIMENSIONS = ['COUNTRY', 'PHONE', 'PRICING_CATEGORY', 'PRICING_TYPE', 'TIER']
/** Rupees for a charged message in India and elsewhere, as Meta's card of October 2026 has them for India and "Other". */
const RATES: Record<string, { IN: number; other: number }> = {
	MARKETING: { IN: 0.8631, other: 4.4248 },
	UTILITY: { IN: 0.115, other: 0.5641 },
	AUTHENTICATION: { IN: 0.115, other: 0.5641 },
	SERVICE: { IN: 0.115, other: 0.5641 },
}

/**
 * Returns the `pricing_analytics` of an account from the network's own counts; null unless the field is requested. Each day
 * and combination of the requested dimensions is one data point.
 */
export function pricingAnalytics(
	account: Account,
	{ directory, charges }: NetworkState,
	fields: string,
): JsonObject | null {
	const at = fields.indexOf(FIELD)
	if (at === -1) return null
	const { start, end, dimensions, countries, phones } = parametersOf(fields.slice(at + FIELD.length))
	const { timezone_id, currency } = account.billing
	const points = new Map<string, JsonObject & { volume: number; cost: number }>()
	for (const each of charges.volumes()) {
		const phone = directory.phones.get(each.phoneNumberId)
		if (phone?.waba_id !== account.id) continue
		const from = startOfDay(timezone_id, each.day)
		if (from < start || from >= end) continue
		if (!includes(countries, each.country) || !includes(phones, phone.digits)) continue
		const names = namesOf(each, phone.digits, dimensions)
		const key = JSON.stringify([from, names])
		const point = points.get(key) ?? { start: from, end: from + DAY_SECONDS, ...names, volume: 0, cost: 0 }
		point.volume += each.volume
		point.cost += costOf(each)
		points.set(key, point)
	}
	const data_points = Array.from(points.values(), ({ cost, ...point }) =>
		currency === 'INR' ? { ...point, cost: Math.round(cost * 10_000) / 10_000 } : point,
	)
	return { data: [{ data_points }] }
}

/** Reads the parameters at the start of a text, as in `.start(1).end(2)`. */
function parametersOf(text: string) {
	const [chain = ''] = /^(?:\.\w+\([^()]*\))*/.exec(text) ?? []
	const given = new Map(Array.from(chain.matchAll(/\.(\w+)\(([^()]*)\)/g), ([, name, value]) => [name, value ?? '']))
	const start = Number(given.get('start') ?? Number.NaN)
	const end = Number(given.get('end') ?? Number.NaN)
	if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end))
		throw invalidParam('Params start and end are required.')
	if (end <= start || end - start > MAX_SECONDS) throw invalidParam('Param end must be after start, at most a year.')
	const granularity = given.get('granularity') ?? ''
	if (granularity !== 'DAILY') throw notOneOf('granularity', ['DAILY'], granularity)
	const dimensions = listOf(given.get('dimensions'))
	const unknown = dimensions.find((name) => !DIMENSIONS.includes(name))
	if (unknown !== undefined) throw notOneOf('dimensions', DIMENSIONS, unknown)
	return {
		start,
		end,
		dimensions,
		countries: listOf(given.get('country_codes')),
		phones: listOf(given.get('phone_numbers')).map((number) => number.replace(/\D/g, '')),
	}
}

/** Returns the entries of a list, which Graph takes with or without brackets and quotation marks. */
function listOf(text = ''): string[] {
	return text
		.replace(/[[\]"'\s]/g, '')
		.split(',')
		.filter((entry) => entry !== '')
}

function includes(wanted: string[], value: string): boolean {
	return wanted.length === 0 || wanted.includes(value)
}

function namesOf({ country, category, type }: Volume, digits: string, dimensions: string[]): JsonObject {
	const names: JsonObject = {}
	if (dimensions.includes('COUNTRY')) names['country'] = country
	if (dimensions.includes('PHONE')) names['phone_number'] = digits
	if (dimensions.includes('TIER')) names['tier'] = '0:MAX'
	if (dimensions.includes('PRICING_TYPE')) names['pricing_type'] = type.toUpperCase()
	if (dimensions.includes('PRICING_CATEGORY')) names['pricing_category'] = category.toUpperCase()
	return names
}

function costOf({ country, category, type, volume }: Volume): number {
	if (type !== 'regular') return 0
	const rate = RATES[category.toUpperCase()]
	return rate ? volume * (country === 'IN' ? rate.IN : rate.other) : 0
}
