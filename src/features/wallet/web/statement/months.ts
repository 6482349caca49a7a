const nameFormat = new Intl.DateTimeFormat('en-IN', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** 2026-11 is November 2026. */
export function monthName(month: string): string {
	return nameFormat.format(new Date(`${month}-01T00:00:00Z`))
}

/** The month so many months after (or, below 0, before) this one. */
export function nextMonth(month: string, by: number): string {
	const first = new Date(`${month}-01T00:00:00Z`)
	first.setUTCMonth(first.getUTCMonth() + by)
	return first.toISOString().slice(0, 7)
}

interface Day {
	day: string
	marketing: number
	utility: number
	authentication: number
}

/** A row for every day of the month, also for those on which nothing was spent. */
export function daysOfMonth(month: string, days: readonly Day[]): Record<string, string | number>[] {
	const known = new Map(days.map((one) => [one.day, one]))
	const count = Number(new Date(Date.parse(`${nextMonth(month, 1)}-01T00:00:00Z`) - 1).toISOString().slice(8, 10))
	return Array.from({ length: count }, (_, index) => {
		const day = `${month}-${String(index + 1).padStart(2, '0')}`
		const { marketing = 0, utility = 0, authentication = 0 } = known.get(day) ?? {}
		return { Day: String(index + 1), marketing, utility, authentication }
	})
}
