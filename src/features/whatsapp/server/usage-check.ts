import { indianDay } from '#lib/dates.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { countedCategory, type UsageOfDay } from '../rules.ts'
import { ask, type GraphAccess } from './cloud-api.ts'
import { GraphError, isRecord, readSeconds, type CloudApi } from './graph-client.ts'
import { upsertUsageCheck } from './queries.ts'

const DAYS = 35
const MAX_ENTRIES = 1000
const MAX_WORD = 40

/**
 * Reads Meta's own counts of a number's last days with one call, and stores them. Stores that the counts are not readable if
 * the token lacks the permission. Keeps the earlier reading if Meta does not answer.
 */
export async function checkUsage(
	{ db, cloudApi }: { db: Sql; cloudApi: CloudApi },
	accountId: AccountId,
	number: GraphAccess & { wabaId: string; displayPhoneNumber: string | null },
): Promise<void> {
	const digits = (number.displayPhoneNumber ?? '').replace(/\D/g, '')
	if (digits === '') return
	try {
		const days = await getPricingAnalytics(cloudApi, number.wabaId, { ...number, digits })
		await upsertUsageCheck(db, accountId, { isReadable: true, days })
	} catch (error) {
		if (!(error instanceof GraphError) || error.status >= 500) return
		await upsertUsageCheck(db, accountId, { isReadable: false, days: [] })
	}
}

/** Reads Meta's counts of the messages that it delivered from a number. */
async function getPricingAnalytics(
	api: CloudApi,
	wabaId: string,
	{ accessToken, digits }: GraphAccess & { digits: string },
): Promise<UsageOfDay[]> {
	const end = Math.ceil(Date.now() / 1000)
	const field =
		`pricing_analytics.start(${end - DAYS * 86_400}).end(${end}).granularity(DAILY)` +
		`.phone_numbers(["${digits}"]).dimensions(["PRICING_CATEGORY","PRICING_TYPE"])`
	const path = `/${encodeURIComponent(wabaId)}?fields=${encodeURIComponent(field)}`
	const body = await ask(api, { method: 'GET', path, token: accessToken })
	const analytics = isRecord(body.pricing_analytics) ? body.pricing_analytics.data : undefined
	const sets = Array.isArray(analytics) ? (analytics as unknown[]).filter(isRecord) : []
	const points = sets.flatMap(({ data_points }) => (Array.isArray(data_points) ? (data_points as unknown[]) : []))
	return points.slice(0, MAX_ENTRIES).flatMap((point) => readPoint(point) ?? [])
}

function readPoint(point: unknown): UsageOfDay | null {
	if (!isRecord(point) || typeof point.pricing_category !== 'string') return null
	const start = readSeconds(point.start)
	const messages = Number(point.volume)
	if (!start || !Number.isSafeInteger(messages) || messages < 0) return null
	const type = typeof point.pricing_type === 'string' ? wordOf(point.pricing_type) : null
	const category = countedCategory(wordOf(point.pricing_category))
	return { day: indianDay(start.getTime()), category, type, messages }
}

function wordOf(text: string): string {
	return text.slice(0, MAX_WORD).toLowerCase().toWellFormed().replaceAll('\0', '')
}
