import * as z from 'zod/mini'
import { cleanTexts } from '#lib/clean-texts.ts'
import { Text } from '#lib/fields.ts'
import { Component } from '../contract.ts'

/** A template as Meta describes it, in our words. */
export interface MetaTemplate {
	templateId: string
	name: string
	language: string
	status: string
	category: string
	/** Before Meta's last change of it. */
	previousCategory: string | null
	/** The one that Meta announces. */
	correctCategory: string | null
	quality: string | null
	rejectedReason: string | null
	parameterFormat: string
	components: Component[]
}

/** Meta's own names and words are far shorter. */
const Given = Text(5000)
const Word = z.catch(z.optional(Given), undefined)

const Described = z.object({
	id: z.union([Given, z.number()]),
	name: Given,
	language: Given,
	status: Given,
	category: z.catch(z._default(Given, 'MARKETING'), 'MARKETING'),
	previous_category: Word,
	correct_category: Word,
	quality_score: z.catch(z.optional(z.object({ score: Given })), undefined),
	rejected_reason: Word,
	parameter_format: z.catch(z._default(Given, 'POSITIONAL'), 'POSITIONAL'),
	// Components of kinds that nobody knows yet are kept as they came.
	components: z.array(Component),
})

/** Parses a row of Meta's list; null when it lacks what a template needs. */
export function readTemplate(row: unknown): MetaTemplate | null {
	const result = Described.safeParse(cleanTexts(row))
	if (!result.success) return null
	const { id, quality_score, rejected_reason, parameter_format, previous_category, correct_category, ...same } =
		result.data
	return {
		...same,
		templateId: String(id),
		previousCategory: previous_category || null,
		correctCategory: correct_category || null,
		quality: qualityOf(quality_score?.score ?? null),
		rejectedReason: readReason(rejected_reason),
		parameterFormat: parameter_format,
	}
}

/** Meta writes NONE where there is no reason. */
export function readReason(reason: unknown): string | null {
	return typeof reason === 'string' && reason !== '' && reason !== 'NONE' ? reason : null
}

/** Quality by Meta's colours; UNKNOWN has none. */
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

/** Events that end what kept a template from being used. */
const ENDS = new Set(['REINSTATED', 'UNARCHIVED'])

/**
 * The status that an event leads to. Null for warnings and locks on editing, which have no effect on sending, and for events
 * that nobody knows yet: they must not keep an approved template from being sent. The next sync tells its status.
 */
export function statusOf(event: string): string | null {
	if (ENDS.has(event)) return 'APPROVED'
	return STATUSES.has(event) ? event : null
}
