import { addMonths } from '#lib/dates.ts'

interface Day {
	day: string
	marketing: number
	utility: number
	authentication: number
	service: number
}

/** Returns a chart row for each day of the month, zeros for days without spending. */
export function daysOfMonth(month: string, days: readonly Day[]): Record<string, string | number>[] {
	const known = new Map(days.map((one) => [one.day, one]))
	const count = Number(new Date(Date.parse(`${addMonths(month, 1)}-01T00:00:00Z`) - 1).toISOString().slice(8, 10))
	return Array.from({ length: count }, (_, index) => {
		const day = `${month}-${String(index + 1).padStart(2, '0')}`
		const { marketing = 0, utility = 0, authentication = 0, service = 0 } = known.get(day) ?? {}
		return { Day: String(index + 1), marketing, utility, authentication, service }
	})
}

/** Returns the months from `first` to `last`, both included, newest first. */
export function monthsSince(first: string, last: string): string[] {
	const months = [last]
	for (let month = addMonths(last, -1); month >= first; month = addMonths(month, -1)) months.push(month)
	return months
}
