import type { ContactRow } from '#features/contacts/contract.ts'
import type { Component } from '#features/templates/contract.ts'
import { fillValue, parseValue, previewText } from '../rules.ts'

/** What one recipient has for the merge tags. */
export type Recipient = Readonly<Record<string, string | null | undefined>>

export function recipientOf(contact: ContactRow): Recipient {
	const { firstName, lastName, number } = contact
	return { firstName, lastName, number: `+${number}` }
}

/** A template's components with the variables filled in, as `recipient` would read them. */
export function sampleMessage(
	components: readonly Component[],
	variables: Record<string, string>,
	recipient: Recipient | undefined,
): Component[] {
	const filled = sampleValues(variables, recipient)
	return components.map((component) => {
		const prefix = { HEADER: 'header', BODY: 'var' }[component.type.toUpperCase()]
		return prefix && component.text ? { ...component, text: previewText(component.text, prefix, filled) } : component
	})
}

/** The variables with their merge tags replaced. Without any recipient yet, the tag itself shows where a name will stand. */
export function sampleValues(
	variables: Record<string, string>,
	recipient: Recipient | undefined,
): Record<string, string> {
	const find = (tag: string) => (recipient ? (recipient[tag] ?? null) : `{{${tag}}}`)
	return Object.fromEntries(
		Object.entries(variables).map(([key, value]) => [key, fillValue(parseValue(value), find)] as const),
	)
}
