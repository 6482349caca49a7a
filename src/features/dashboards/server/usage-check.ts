import { isChargedType } from '#features/delivery/server/message/status-update.ts'
import { countedCategory, type UsageOfDay } from '#features/whatsapp/rules.ts'
import { indianDay } from '#lib/dates.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import type { UsageCheck } from '../margin-contract.ts'
import { findCheck, listDays, type Days } from './margin-queries.ts'

interface DayRow {
	day: string
	category: string
	counted: number
	reported: number
	countedFree: number
	reportedFree: number
}

/** Compares an account's counts of these days with WhatsApp's last reading, up to the day before the reading. */
export async function compareUsage(
	sql: Sql,
	accountId: AccountId,
	{ days, nameOf }: { days: Days; nameOf: (category: string) => string },
): Promise<UsageCheck | null> {
	const [check, counted] = await Promise.all([findCheck(sql, accountId), listDays(sql, accountId, days)])
	if (!check) return null
	const { checkedAt, isReadable } = check
	const end = [days.end, indianDay(checkedAt.getTime())].toSorted()[0] ?? ''
	const isCompared = ({ day }: { day: string }) => day >= days.first && day < end
	// Readings of earlier releases have no types.
	const hasTypes = check.days.some(({ type }) => type !== undefined)
	const rows = new Map<string, DayRow>()
	const add = (side: 'counted' | 'reported', of: UsageOfDay) => {
		const { day, messages, type } = of
		const free = type && isChargedType(type) === false ? messages : 0
		// Earlier releases stored the word of the marketing route.
		const category = countedCategory(of.category)
		const none = { day, category, counted: 0, reported: 0, countedFree: 0, reportedFree: 0 }
		const row = rows.get(`${day} ${category}`) ?? none
		const freeSide = `${side}Free` as const
		rows.set(`${day} ${category}`, { ...row, [side]: row[side] + messages, [freeSide]: row[freeSide] + free })
	}
	if (isReadable) for (const one of counted.filter(isCompared)) add('counted', one)
	for (const one of check.days.filter(isCompared)) add('reported', one)
	const differences = [...rows].filter(
		([, row]) => row.counted !== row.reported || (hasTypes && row.countedFree !== row.reportedFree),
	)
	return {
		checkedAt: checkedAt.toISOString(),
		isReadable,
		differences: differences
			.toSorted(([a], [b]) => (a < b ? 1 : -1))
			.map(([, row]) => ({
				...row,
				reportedFree: hasTypes ? row.reportedFree : null,
				name: nameOf(row.category),
			})),
	}
}
