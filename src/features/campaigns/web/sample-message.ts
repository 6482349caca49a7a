import type { Recipient } from '#features/audiences/recipient-values.ts'
import type { ContactRow } from '#features/contacts/contract.ts'
import type { FieldRow } from '#features/contacts/own-fields.ts'
import type { Component } from '#features/templates/contract.ts'
import { fillValues, findTag, previewComponents } from '#features/templates/values.ts'

/** With what a contact has in the account's own fields, as it is kept. */
export function recipientOf(contact: ContactRow, own: readonly FieldRow[]): Recipient {
	const { firstName, lastName, number, fields } = contact
	const answers: Record<string, string> = { yes: 'Yes', no: 'No' }
	const values = own.map(({ name, type }) => {
		const value = fields[name]
		return [name, type === 'yesno' && value ? answers[value] : value] as const
	})
	return { ...Object.fromEntries(values), firstName, lastName, number: `+${number}` }
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
	if (!recipient) return fillValues(variables, (tag) => `{{${tag}}}`)
	const tags = Object.keys(recipient)
	return fillValues(variables, (tag) => recipient[findTag(tag, tags) ?? ''] ?? null)
}
