import type * as z from 'zod/mini'
import type { Amount } from '#features/developer/v1-fields.ts'
import { decimal } from '#lib/money.ts'

export function presentAmount(paise: number): z.output<typeof Amount> {
	return { paise, rupees: decimal(paise) }
}
