import { useMemo } from 'react'
import { templateHints } from '#features/templates/hints.ts'
import { templateProblems } from '#features/templates/rules.ts'
import { draftOf, type TemplateFields } from './template-fields.ts'

export type Hints = (path: string) => readonly string[]

/** Returns the hints under each field while it is filled in. Missing values are reported on submit only. */
export function useHints(fields: TemplateFields, errors: Record<string, unknown>): Hints {
	const byField = useMemo(() => {
		const draft = draftOf(fields)
		const problems = templateProblems(draft).filter(({ field }) => isFilled(fields, field))
		return Map.groupBy([...problems, ...templateHints(draft)], ({ field }) => field)
	}, [fields])
	// A field with an error shows no hints, which would repeat it.
	return (path) => (errors[path] ? [] : (byField.get(path)?.map(({ message }) => message) ?? []))
}

function isFilled(fields: TemplateFields, path: string): boolean {
	const value = path
		.split('.')
		.reduce<unknown>((part, key) => (part as Record<string, unknown> | undefined)?.[key], fields)
	return typeof value === 'string' ? value.trim() !== '' : Array.isArray(value) && value.length > 0
}
