import * as z from 'zod/mini'
import { cleanTexts } from '#lib/clean-texts.ts'
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

const Word = z.catch(z.optional(z.string()), undefined)

const Described = z.object({
	id: z.union([z.string(), z.number()]),
	name: z.string(),
	language: z.string(),
	status: z.string(),
	category: z.catch(z._default(z.string(), 'MARKETING'), 'MARKETING'),
	previous_category: Word,
	correct_category: Word,
	quality_score: z.catch(z.optional(z.object({ score: z.string() })), undefined),
	rejected_reason: Word,
	parameter_format: z.catch(z._default(z.string(), 'POSITIONAL'), 'POSITIONAL'),
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

/** Events that are not statuses: the status that each leads to, or null when it changes none. */
const STATUS_AFTER = new Map<string, string | null>([
	['REINSTATED', 'APPROVED'],
	['UNARCHIVED', 'APPROVED'],
	// Warnings and locks on editing, both without effect on sending.
	['FLAGGED', null],
	['LOCKED', null],
])

export function statusOf(event: string): string | null {
	const status = STATUS_AFTER.get(event)
	return status === undefined ? event : status
}
