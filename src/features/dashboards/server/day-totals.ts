import type { DayStats } from './queries.ts'

/**
 * Returns the messages and the spent paise of days together. `sent` is at least 0: days in which more messages fail than are
 * accepted count below 0.
 */
export function sumDays(days: readonly DayStats[]) {
	const sum = (pick: (day: DayStats) => number) => days.reduce((total, day) => total + pick(day), 0)
	const accepted = sum(({ sent }) => sent)
	const messages = {
		sent: Math.max(0, accepted),
		delivered: sum(({ delivered }) => delivered),
		read: sum(({ read }) => read),
		failed: sum(({ failed }) => failed),
	}
	return { messages, spentPaise: sum((day) => day.spentPaise) }
}
