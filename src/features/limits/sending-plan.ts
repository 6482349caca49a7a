import { indianDay } from '#lib/dates.ts'
import { DAY_MS } from '#lib/durations.ts'
import { allowedAt, type QuietHours } from './rules.ts'

/** People under a limit, and what determines when they get their messages. */
export interface ToPlan {
	people: number
	/** Number of people of the portfolio's other campaigns, who come first. */
	ahead: number
	/** The time of the plan, and the start, in milliseconds since 1970. */
	now: number
	startsAt: number
	/** The start of a campaign that is being sent already; null for any other. */
	startedAt: number | null
	perDay: number
	/** Number of people whom the portfolio may reach now. */
	left: number
	/** Times at which places become free, and the number of people for each, the earliest first. */
	freed: readonly { at: number; people: number }[]
	messagesPerSecond: number
	/** The time in India from which the campaign continues on each day after its first, as 10:00. */
	dailyStart: string | null
	quiet: QuietHours | null
}

/** Time for which a person counts: a day and the minute that the counting adds. */
const COUNTED_MS = DAY_MS + 60_000
/** Turns that are planned one by one; the days after them are estimated from the limit. */
const MAX_TURNS = 2000

/** Returns the number of days on which a campaign sends, and its end as ISO text; null under a limit of 0. */
export function planSending(given: ToPlan): { days: number; until: string } | null {
	const { people, ahead, now, perDay, messagesPerSecond, dailyStart, quiet } = given
	if (perDay <= 0) return null
	const startsAt = Math.max(now, given.startsAt)
	const hours = { dailyStart, quiet, firstDay: indianDay(given.startedAt ?? startsAt) }
	const coming = given.freed.map((one) => ({ ...one }))
	const days = new Set<string>()
	let [at, free, rest] = [startsAt, given.left, ahead + people]
	for (let turn = 0; rest > 0 && turn < MAX_TURNS; turn++) {
		at = allowedAt(hours, at)
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
