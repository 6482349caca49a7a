import { IDS_PER_MONTH } from './recent-queries.ts'

/** A range of campaign ids; `endId` is exclusive. */
export interface Ids {
	firstId: number
	endId: number
}

export interface Month extends Ids {
	/** Months since the year 0. The month before the first one means the first partition. */
	month: number
}

export const FIRST_MONTH = 2026 * 12 + 10
const FIRST_ID = 1_000_000_000

export function idsOf(month: number): Month {
	const firstId = FIRST_ID + (month - FIRST_MONTH) * IDS_PER_MONTH
	return { month, firstId: month < FIRST_MONTH ? 0 : firstId, endId: Math.max(FIRST_ID, firstId + IDS_PER_MONTH) }
}

/**
 * Returns the ids of campaigns whose month is more than `keepMonths` before `today`; null for none. `migrated` is the month of
 * the campaigns in the first partition.
 */
export function dueIds({ today, migrated }: { today: number; migrated: number }, keepMonths: number): Ids | null {
	const firstId = today - migrated > keepMonths ? 0 : FIRST_ID
	const { endId } = idsOf(today - keepMonths - 1)
	return firstId < endId ? { firstId, endId } : null
}

/** Returns the ending of a partition's name: 2026_11, or `first`. */
export function nameOf(month: number): string {
	if (month < FIRST_MONTH) return 'first'
	return `${Math.floor(month / 12)}_${String((month % 12) + 1).padStart(2, '0')}`
}

/** Returns the month of a partition by its name. */
export function monthOf(partition: string): number {
	const [, year, month] = /_(\d{4})_(\d{2})$/.exec(partition) ?? []
	return year === undefined ? FIRST_MONTH - 1 : Number(year) * 12 + Number(month) - 1
}

/**
 * Returns the month to take ids from: today's, or a later one when the ids of a month are nearly used up. The first partition
 * lasts until the end of the month of its migration, so that ids stay small.
 */
export function monthToUse({ today, migrated, lastId }: { today: number; migrated: number; lastId: number }): Month {
	const soon = lastId + IDS_PER_MONTH / 10
	const inUse = soon < FIRST_ID ? FIRST_MONTH - 1 : FIRST_MONTH + Math.floor((soon - FIRST_ID) / IDS_PER_MONTH)
	return idsOf(Math.max(inUse, today > migrated ? Math.max(today, FIRST_MONTH) : 0))
}

/**
 * Returns the lowest campaign id of the changes. A statement that joins changes with partitions is planned before the changes
 * are known, and would open the partitions of all months without this lower bound.
 */
export function lowestId(changes: readonly { campaignId: number }[]): number {
	return changes.reduce((lowest, { campaignId }) => Math.min(lowest, campaignId), Number.MAX_SAFE_INTEGER)
}
