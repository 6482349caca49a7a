import * as z from 'zod/mini'
import { INDIAN_TIME_ZONE } from '#lib/dates.ts'
import { OptionalText, Text } from '#lib/fields.ts'

export const Schedule = z.enum(['now', 'later'])

export const Timing = {
	schedule: z._default(Schedule, 'now'),
	/** 2026-11-21T18:30:00, in `timezone`. */
	scheduleDatetime: z.optional(Text(100)),
	timezone: z._default(Text(100), INDIAN_TIME_ZONE),
}

/** The price of a message in rupees that the screen showed. Another present price refuses the order. */
export const ShownPrice = { price: OptionalText(20) }

export const ShownPrices = {
	...ShownPrice,
	/** `abroadPrices` of the estimate that the screen showed. Other present prices refuse the order. */
	abroadPrices: OptionalText(100),
}

/** The prices that a screen showed. An absent one is not compared. */
export interface ShownPrices {
	price?: string | undefined
	abroadPrices?: string | undefined
}
