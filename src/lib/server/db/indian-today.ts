import { INDIAN_TIME_ZONE } from '#lib/dates.ts'
import { Statement } from '../statement.ts'

/** Today's date in India, as a part of a statement: text rather than a value, so that the planner sees a constant zone. */
export const INDIAN_TODAY = new Statement([`(now() at time zone '${INDIAN_TIME_ZONE}')::date`], [])
