import { spellClock } from '#lib/dates.ts'
import { plural } from '#lib/numbers.ts'
import type { BusinessHours } from './contract.ts'

/** Days of the week, in the order of `BusinessHours`. */
export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const

/**
 * Returns business hours in words, such as "Mon–Sat 10:00 am–7:00 pm, Sun closed, and closed on 2 more days". Closed days before
 * `today`, a day such as 2026-11-21, do not count.
 */
export function hoursInWords({ week, closedDays }: BusinessHours, today: string): string {
	const spans: { from: number; until: number; hours: string }[] = []
	for (const [day, open] of week.entries()) {
		const hours = open ? spellHours(open) : 'closed'
		const last = spans.at(-1)
		if (last?.hours === hours) last.until = day
		else spans.push({ from: day, until: day, hours })
	}
	const words = spans.map(({ from, until, hours }) => `${daysOf(from, until)} ${hours}`).join(', ')
	const coming = closedDays.filter((day) => day >= today).length
	return coming > 0 ? `${words}, and closed on ${plural(coming, 'more day')}` : words
}

function spellHours({ from, until }: { from: string; until: string }): string {
	if (from !== until) return `${spellClock(from)}–${spellClock(until)}`
	return from === '00:00' ? 'all day' : `24 hours from ${spellClock(from)}`
}

function daysOf(from: number, until: number): string {
	const [first, last] = [WEEKDAYS[from]?.slice(0, 3) ?? '', WEEKDAYS[until]?.slice(0, 3) ?? '']
	if (from === until) return first
	return until - from === WEEKDAYS.length - 1 ? 'Every day' : `${first}–${last}`
}
