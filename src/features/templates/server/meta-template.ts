import * as z from 'zod/mini'
import { Text } from '#lib/fields.ts'
import { cleanTexts } from '#lib/text/clean-texts.ts'
import { Component } from '../contract.ts'

/** Template as Meta describes it, with our field names. */
export interface MetaTemplate {
	templateId: string
	name: string
	language: string
	status: string
	category: string
	/** Category before Meta's last change; null without a change. */
	previousCategory: string | null
	/** Category that Meta has announced or considers right; null without one. */
	correctCategory: string | null
	/** True when Meta names no right category, so that the stored right category stays. */
	keepsCorrectCategory?: boolean
	quality: string | null
	rejectedReason: string | null
	parameterFormat: string
	/** Seconds after which Meta stops trying to deliver a message; null for Meta's default. */
	ttlSeconds: number | null
	components: Component[]
}

/** Maximum characters of Meta's names and words, which are much shorter. */
const Given = Text(5000)
const Word = z.catch(z.optional(Given), undefined)

const Described = z.object({
	id: z.union([Given, z.number()]),
	name: Given,
	language: Given,
	status: Given,
	category: z.catch(z._default(Given, 'MARKETING'), 'MARKETING'),
	previous_category: Word,
	correct_category: z.catch(z.optional(z.nullable(Given)), undefined),
	quality_score: z.catch(z.optional(z.object({ score: Given })), undefined),
	rejected_reason: Word,
	parameter_format: z.catch(z._default(Given, 'POSITIONAL'), 'POSITIONAL'),
	message_send_ttl_seconds: z.catch(z.optional(z.number().check(z.int32())), undefined),
	// Components of unknown kinds are stored as received.
	components: z.array(Component),
})

/** Parses a row of Meta's list; null when a required field is missing or unreadable. */
export function readTemplate(row: unknown): MetaTemplate | null {
	const result = Described.safeParse(cleanTexts(row))
	if (!result.success) return null
	const { id, quality_score, rejected_reason, parameter_format, previous_category, ...described } = result.data
	const { correct_category, message_send_ttl_seconds, ...named } = described
	const same = { ...named, category: categoryOf(named.category) }
	const correct = correct_category && categoryOf(correct_category)
	return {
		...same,
		templateId: String(id),
		previousCategory: previous_category ? categoryOf(previous_category) : null,
		correctCategory: correct && correct !== same.category ? correct : null,
		...(correct_category === undefined && { keepsCorrectCategory: true }),
		ttlSeconds: message_send_ttl_seconds ?? null,
		quality: qualityOf(quality_score?.score ?? null),
		rejectedReason: readReason(rejected_reason),
		parameterFormat: parameter_format,
	}
}

/** Returns a category of Meta as it is stored and compared: in upper case, known or not. */
export function categoryOf(word: string): string {
	return word.toUpperCase()
}

/** Returns the reason; null when it is empty or NONE, which Meta sends without a reason. */
export function readReason(reason: unknown): string | null {
	return typeof reason === 'string' && reason !== '' && reason !== 'NONE' ? reason : null
}

/** Quality by Meta's colours. UNKNOWN has no quality. */
const QUALITIES = new Map([
	['GREEN', 'HIGH'],
	['YELLOW', 'MEDIUM'],
	['RED', 'LOW'],
])

export function qualityOf(score: string | null): string | null {
	return QUALITIES.get(score ?? '') ?? null
}

const STATUSES = new Set([
	'APPROVED',
	'PENDING',
	'REJECTED',
	'PAUSED',
	'DISABLED',
	'IN_APPEAL',
	'PENDING_DELETION',
	'DELETED',
	'LIMIT_EXCEEDED',
	'ARCHIVED',
])

/** Events that end a restriction of the template. */
const ENDS = new Set(['REINSTATED', 'UNARCHIVED'])

/**
 * Returns the status after an event. Null for warnings and edit locks, which do not affect sending, and for unknown
 * events, which must not block an approved template; the next sync reads its status.
 */
export function statusOf(event: string): string | null {
	if (ENDS.has(event)) return 'APPROVED'
	return STATUSES.has(event) ? event : null
}
