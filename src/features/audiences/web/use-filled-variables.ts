import { useEffect, useEffectEvent, useRef } from 'react'
import { gapOf } from '#features/audiences/values.ts'
import type { TemplateRow } from '#features/templates/contract.ts'
import { fallbackOf, mergeTags, withFallback } from '#features/templates/values.ts'
import { isNameTag, likelyValues } from './likely-values.ts'
import type { TagSource } from './merge-tags.ts'

/** The word for a customer in each language of templates that is common in India, by the language's code. */
const CUSTOMER: Readonly<Record<string, string>> = {
	bn: 'গ্রাহক',
	en: 'Customer',
	gu: 'ગ્રાહક',
	hi: 'ग्राहक',
	kn: 'ಗ್ರಾಹಕರೇ',
	mr: 'ग्राहक',
	pa: 'ਗਾਹਕ',
	ta: 'வாடிக்கையாளர்',
	te: 'కస్టమర్',
}

type Filled = Pick<TagSource, 'fields' | 'gaps'>

interface Values {
	variables: Record<string, string>
}

/** A form with variables, as `useForm` returns it. */
interface VariableForm {
	values: Values
	getValues(): Values
	setFieldValue(path: 'variables', variables: Values['variables']): void
	setInitialValues(values: Values): void
	isDirty(): boolean
	resetDirty(): void
}

/**
 * Fills in empty variables by the words beside them when a template or list is chosen, and the fallback of a name that
 * some recipients lack. Values that the user typed stay, also an emptied fallback.
 */
export function useFilledVariables(
	form: VariableForm,
	template: TemplateRow | undefined,
	{ fields, gaps }: Filled,
): void {
	const { variables } = form.values
	const likely = template ? likelyValues(template.components, fields) : {}
	const set = (change: Record<string, string>) => {
		if (Object.keys(change).length === 0) return
		const isClean = !form.isDirty()
		form.setFieldValue('variables', { ...form.getValues().variables, ...change })
		// Filled-in values do not make the form dirty, so that leaving it asks nothing.
		if (!isClean) return
		form.setInitialValues(form.getValues())
		form.resetDirty()
	}
	// The filled-in values. The next list replaces the values that the user has not edited.
	const filled = useRef<Record<string, string>>({})
	const fillIn = useEffectEvent(() => {
		const wanted: Record<string, string> = {}
		for (const key of Object.keys({ ...variables, ...likely })) {
			const value = variables[key] ?? ''
			const isOurs = !value.trim() || value === filled.current[key]
			if (isOurs && (likely[key] || value)) wanted[key] = likely[key] ?? ''
		}
		filled.current = wanted
		set(filled.current)
	})
	const suggested = template && JSON.stringify([template._id, likely])
	useEffect(() => {
		if (suggested) fillIn()
	}, [suggested])

	const offered = useRef(new Set<string>())
	const word = CUSTOMER[template?.language.split('_')[0] ?? ''] ?? ''
	const lacking = mergeTags(variables).filter((tag) => isNameTag(tag) && gapOf(gaps, tag) > 0)
	const addFallbacks = useEffectEvent(() => {
		const fresh = lacking.filter((tag) => !offered.current.has(tag))
		const change = Object.entries(variables).flatMap(([key, value]) => {
			const added = fresh.reduce((text, tag) => (fallbackOf(text, tag) ? text : withFallback(text, tag, word)), value)
			return added === value ? [] : [[key, added] as const]
		})
		for (const tag of fresh) offered.current.add(tag)
		for (const [key, value] of change) if (variables[key] === filled.current[key]) filled.current[key] = value
		set(Object.fromEntries(change))
	})
	const lackingNames = word && lacking.join('\0')
	useEffect(() => {
		if (lackingNames) addFallbacks()
	}, [lackingNames])
}
