import type { SendingPlan } from '#features/delivery/contract.ts'
import { afterQuietHours } from '#features/delivery/rules.ts'
import { INDIAN_UTC_OFFSET, indianClock, indianDay } from '#lib/dates.ts'

/** People under a limit, and what determines when they get their messages. */
export interface ToPlan {
	people: number
	/** People of the portfolio's other campaigns, who come first. */
	ahead: number
	/** The time of the plan, and the start, in milliseconds since 1970. */
	now: number
	startsAt: number
	perDay: number
	/** People whom the portfolio may reach now. */
	left: number
	/** When the others may be reached again, the earliest first. */
	freed: readonly { at: number; people: number }[]
	messagesPerSecond: number
	/** The time in India from which the campaign continues on each day after its first, as 10:00. */
	dailyStart: string | null
	quiet: { from: string; until: string } | null
}

const DAY_MS = 86_400_000
/** Time for which a person counts: a day and the minute that the counting adds. */
const COUNTED_MS = DAY_MS + 60_000
/** Turns that are planned one by one; the days after them are estimated from the limit. */
const MAX_TURNS = 2000

/** Returns on how many days a campaign sends, and when it ends. There is no plan under a limit of 0. */
export function planSending(given: ToPlan): SendingPlan | null {
	const { people, ahead, now, perDay, messagesPerSecond } = given
	if (perDay <= 0) return null
	const startsAt = Math.max(now, given.startsAt)
	const coming = given.freed.map((one) => ({ ...one }))
	const days = new Set<string>()
	let [at, free, rest] = [startsAt, given.left, ahead + people]
	for (let turn = 0; rest > 0 && turn < MAX_TURNS; turn++) {
		at = allowedAt(given, { at, startsAt })
		for (; coming[0] && coming[0].at <= at; coming.shift()) free += coming[0].people
		const sent = Math.min(free, rest)
		free -= sent
		rest -= sent
		const endsAt = at + (sent / messagesPerSecond) * 1000
		if (sent > 0) {
			coming.push({ at: endsAt + COUNTED_MS, people: sent })
			if (rest < people) days.add(indianDay(at))
		}
		at = rest === 0 ? endsAt : Math.max(endsAt, coming[0]?.at ?? endsAt + COUNTED_MS)
	}
	const further = Math.ceil(rest / perDay)
	return { days: Math.max(1, days.size + further), until: new Date(at + further * DAY_MS).toISOString() }
}

/** Returns the first time from `at` on at which the campaign may send. */
function allowedAt({ dailyStart, quiet }: ToPlan, { at, startsAt }: { at: number; startsAt: number }): number {
	return afterQuietHours(afterDailyStart(at, { dailyStart, firstDay: indianDay(startsAt) }), quiet)
}

/**
 * Returns the time `at`, or the daily start of its day in India if that is later. The first day of a campaign, as 2026-11-26,
 * has none; null is a first day that has passed.
 */
export function afterDailyStart(
	at: number,
	{ dailyStart, firstDay }: { dailyStart: string | null; firstDay: string | null },
): number {
	const day = indianDay(at)
	if (!dailyStart || day === firstDay || indianClock(at) >= dailyStart) return at
	return Date.parse(`${day}T${dailyStart}:00${INDIAN_UTC_OFFSET}`)
}
