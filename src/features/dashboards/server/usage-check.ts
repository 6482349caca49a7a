import { countedCategory } from '#features/whatsapp/rules.ts'
import { indianDay } from '#lib/dates.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import type { UsageCheck } from '../margin-contract.ts'
import { findCheck, listDays, type Days } from './margin-queries.ts'

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
	const rows = new Map<string, { day: string; category: string; counted: number; reported: number }>()
	const add = (side: 'counted' | 'reported', of: { day: string; category: string; messages: number }) => {
		const { day, messages } = of
		// Earlier releases stored the word of the marketing route.
		const category = countedCategory(of.category)
		const row = rows.get(`${day} ${category}`) ?? { day, category, counted: 0, reported: 0 }
		rows.set(`${day} ${category}`, { ...row, [side]: row[side] + messages })
	}
	if (isReadable) for (const one of counted.filter(isCompared)) add('counted', one)
	for (const one of check.days.filter(isCompared)) add('reported', one)
	const differences = [...rows].filter(([, row]) => row.counted !== row.reported)
	return {
		checkedAt: checkedAt.toISOString(),
		isReadable,
		differences: differences
			.toSorted(([a], [b]) => (a < b ? 1 : -1))
			.map(([, row]) => ({ ...row, name: nameOf(row.category) })),
	}
}
