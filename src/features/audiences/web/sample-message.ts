import type { ContactRow } from '#features/contacts/contract.ts'
import type { FieldRow } from '#features/contacts/custom-fields.ts'
import type { Component } from '#features/templates/contract.ts'
import { fillValues, findTag, previewComponents } from '#features/templates/values.ts'
import { nameValue, tagLabel, type Recipient } from '../values.ts'

/** Returns a contact as a recipient, with the values of its custom fields as stored. */
export function recipientOf(contact: ContactRow, own: readonly FieldRow[]): Recipient {
	const { firstName, lastName, number, fields } = contact
	const answers: Record<string, string> = { yes: 'Yes', no: 'No' }
	const values = own.map(({ name, type }) => {
		const value = fields[name]
		return [name, type === 'yesno' && value ? answers[value] : value] as const
	})
	const person = { whole: `${firstName}${lastName ?? ''}`, number }
	const names = { firstName: nameValue(firstName, person), lastName: nameValue(lastName ?? null, person) }
	return { ...Object.fromEntries(values), ...names, number: `+${number}` }
}

/** Returns a template's components with the variables filled in, as `recipient` would read them. */
export function sampleMessage(
	components: readonly Component[],
	variables: Record<string, string>,
	recipient: Recipient | undefined,
): Component[] {
	return previewComponents(components, sampleValues(variables, recipient))
}

/** Returns the variables with their merge tags replaced, without a recipient by the names of the columns. */
export function sampleValues(
	variables: Record<string, string>,
	recipient: Recipient | undefined,
): Record<string, string> {
	if (!recipient) return fillValues(variables, (tag) => `‹${tagLabel(tag)}›`)
	const tags = Object.keys(recipient)
	return fillValues(variables, (tag) => recipient[findTag(tag, tags) ?? ''] ?? null)
}
