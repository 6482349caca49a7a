import * as z from 'zod/mini'
import { INDIAN_TIME_ZONE } from '#lib/dates.ts'
import { Text } from '#lib/fields.ts'

export const Schedule = z.enum(['now', 'later'])

export const Timing = {
	schedule: z._default(Schedule, 'now'),
	/** 2026-11-21T18:30:00, in `timezone`. */
	scheduleDatetime: z.optional(Text(100)),
	timezone: z._default(Text(100), INDIAN_TIME_ZONE),
}
