import type { ContactRow } from '#features/contacts/contract.ts'
import type { Component } from '#features/templates/contract.ts'
import { fillValues, previewComponents } from '#features/templates/values.ts'
import type { Recipient } from '../recipient-values.ts'

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
	return previewComponents(components, sampleValues(variables, recipient))
}

/** The variables with their merge tags replaced. Without a recipient the tags stay visible. */
export function sampleValues(
	variables: Record<string, string>,
	recipient: Recipient | undefined,
): Record<string, string> {
	const find = (tag: string) => (recipient ? (recipient[tag] ?? null) : `{{${tag}}}`)
	return fillValues(variables, find)
}
