import { INDIAN_TIME_ZONE } from '#lib/dates.ts'
import { Statement } from '../statement.ts'

/** SQL for today's date in India. The zone is text rather than a parameter, so that the planner sees a constant. */
export const INDIAN_TODAY = new Statement([`(now() at time zone '${INDIAN_TIME_ZONE}')::date`], [])
