import type { TemplateCategory } from '#simulator/state/templates.ts'
import { invalidParam } from '../errors.ts'
import { shown } from '../json.ts'

const RANGES: Record<TemplateCategory, { min: number; max: number; isUnlimited: boolean }> = {
	AUTHENTICATION: { min: 30, max: 900, isUnlimited: true },
	UTILITY: { min: 30, max: 43_200, isUnlimited: true },
	MARKETING: { min: 43_200, max: 2_592_000, isUnlimited: false },
}

/** Returns the time to live of a template's messages in seconds, or null for the default; -1 is 30 days. */
export function ttlOf(value: unknown, category: TemplateCategory): number | null {
	if (value === undefined) return null
	const { min, max, isUnlimited } = RANGES[category]
	const seconds = Number(value)
	if (Number.isInteger(seconds) && seconds >= min && seconds <= max) return seconds
	if (isUnlimited && seconds === -1) return seconds
	throw invalidParam(
		`Param message_send_ttl_seconds must be between ${min} and ${max} for the category ${category} - got "${shown(value)}".`,
	)
}
