import type { Recipient } from '#features/audiences/server/recipients/audience-queries.ts'
import { cleanTags, readValues } from '#features/contacts/custom-fields.ts'
import { cleanName, NAME_AND_NUMBER_MISSING } from '#features/contacts/rules.ts'
import type { NewContact } from '#features/contacts/server/contacts/queries.ts'
import type { Field, GivenValues } from '#features/contacts/server/fields/field-queries.ts'
import type { v1Campaigns } from '#features/developer/v1-campaign-contract.ts'
import type { v1 } from '#features/developer/v1-contract.ts'
import { numberFaults, type NumberPlace } from '#features/developer/v1-number-fields.ts'
import type { Component } from '#features/templates/contract.ts'
import { fits, misfitText, openParts } from '#features/templates/filled.ts'
import { findTag, mergeTags, tagsWithoutFallback, valueError, type Variables } from '#features/templates/values.ts'
import type { PartOut } from '#lib/endpoint.ts'
import { readNumber } from '#lib/phone/phone-reader.ts'
import { faultAt, invalid, type Fault } from '../faults.ts'

type TypedContact = PartOut<typeof v1.upsertContacts.body>['contacts'][number]
type TypedRecipient = PartOut<typeof v1Campaigns.addRecipients.body>['recipients'][number]

export function readContacts(
	typed: readonly TypedContact[],
	{ groupId, fields }: { groupId: number | null; fields: readonly Field[] },
): (NewContact & { own: GivenValues })[] {
	return collect(typed, { list: 'contacts', field: 'number' }, (one, index) => {
		const number = readNumber(one.number) ?? ''
		const faults: Fault[] = []
		const firstName = cleanName(one.firstName)
		if (!firstName) faults.push(faultAt(['contacts', index, 'firstName'], NAME_AND_NUMBER_MISSING))
		const { values, faults: unread } = readValues(fields, one.fields)
		for (const { field, message } of unread) faults.push(faultAt(['contacts', index, 'fields', field], message))
		const own = { tags: one.tags && cleanTags(one.tags), values }
		return { item: { firstName, lastName: cleanName(one.lastName ?? '') || null, number, groupId, own }, faults }
	})
}

/** A campaign's template and its values. */
interface Message {
	components: readonly Component[]
	variables: Variables
}

/** Returns each recipient with the values of the campaign's merge tags, in their order. Throws a 422 with all faults. */
export function readRecipients(typed: readonly TypedRecipient[], { components, variables }: Message): Recipient[] {
	const tags = mergeTags(variables)
	const required = new Set(tagsWithoutFallback(variables))
	const parts = openParts(components, variables)
	return collect(typed, { list: 'recipients', field: 'to' }, (one, index) => {
		const number = readNumber(one.to) ?? ''
		const faults: Fault[] = []
		const given = new Map(Object.entries(one.values).map(([tag, value]) => [findTag(tag, tags) ?? tag, value.trim()]))
		const fault = (tag: string, detail: string) => faults.push(faultAt(['recipients', index, 'values', tag], detail))
		given.set('number', `+${number}`)
		for (const tag of tags) {
			const value = given.get(tag) ?? ''
			const error = value === '' && !required.has(tag) ? null : (valueError(value) ?? braceError(value))
			if (error !== null) fault(tag, `${tag} ${error}`)
		}
		for (const tag of Object.keys(one.values))
			if (findTag(tag, tags) === undefined) fault(tag, `The campaign has no place for a value "${tag}"`)
		for (const part of parts.filter((each) => !fits(each, (tag) => given.get(tag) || null)))
			fault(part.key, misfitText(part, 1))
		const values = tags.map((tag) => given.get(tag) || null)
		const { name = null, reference = null, metadata = null } = one
		return { item: { number, name, values, reference, metadata }, faults }
	})
}

/** Returns an error for a value with braces, which is sent unchanged and would show an unfilled merge tag; null otherwise. */
function braceError(value: string): string | null {
	return /\{\{|\}\}/.test(value) ? 'may hold no {{…}}' : null
}

/** Returns the item that `read` returns for each entry. Throws a 422 with the faults of all entries. */
function collect<T, R>(
	typed: readonly T[],
	place: NumberPlace,
	read: (one: T, index: number) => { item: R; faults: Fault[] },
): R[] {
	const numbers = numberFaults(typed, place).map(({ path, message }) => faultAt(path, message))
	const all = typed.map(read)
	const faults = [...numbers, ...all.flatMap((one) => one.faults)]
	if (faults.length > 0) throw invalid(faults)
	return all.map(({ item }) => item)
}
