import type { ContactRow } from '#features/contacts/contract.ts'
import type { Component } from '#features/templates/contract.ts'
import { fillValue, parseValue, previewComponents } from '../rules.ts'

/** A template's components with the variables filled in, as `contact` would read them. */
export function sampleMessage(
	components: readonly Component[],
	variables: Record<string, string>,
	contact: ContactRow | undefined,
): Component[] {
	const values = Object.entries(variables).map(([key, value]) => [key, sampleValue(value, contact)])
	const filled = Object.fromEntries(values) as Record<string, string>
	return previewComponents(components, filled)
}

function sampleValue(value: string, contact: ContactRow | undefined): string {
	const known: Record<string, string | null | undefined> = {
		firstName: contact?.firstName,
		lastName: contact?.lastName,
		number: contact?.number,
	}
	// Without any contact yet, the tag itself shows where a name will stand.
	return fillValue(parseValue(value), (tag) => (contact ? (known[tag] ?? null) : `{{${tag}}}`))
}
