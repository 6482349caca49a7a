import type { LibraryTemplate } from '#features/templates/library-contract.ts'
import { ButtonFields, EMPTY_TEMPLATE, newButton, type TemplateFields } from '../template-fields.ts'

/** Names of the topics of WhatsApp's library. */
export const TOPIC_NAMES: Record<string, string> = {
	ORDER_MANAGEMENT: 'Orders',
	PAYMENTS: 'Payments',
	ACCOUNT_UPDATE: 'Accounts',
	CUSTOMER_FEEDBACK: 'Feedback',
}

/** Words for the types of variables that WhatsApp checks. */
const TYPE_NAMES: Record<string, string> = {
	AMOUNT: 'an amount',
	DATE: 'a date',
	'PHONE NUMBER': 'a phone number',
	PHONE_NUMBER: 'a phone number',
	EMAIL: 'an email address',
	NUMBER: 'a number',
	ADDRESS: 'an address',
}

/** Returns the words for a variable's type. */
export function typeName(type = 'TEXT'): string {
	return TYPE_NAMES[type.toUpperCase()] ?? 'any text'
}

/** Returns the form's fields for a text of WhatsApp's library. Its buttons still need addresses and phone numbers. */
export function libraryFields(text: LibraryTemplate): TemplateFields {
	const { name, language, header, body, bodyExamples, bodyTypes, buttons } = text
	return {
		...EMPTY_TEMPLATE,
		name,
		category: 'UTILITY',
		language,
		header_type: header === null ? 'NONE' : 'TEXT',
		header_text: header ?? '',
		body_text: body,
		body_examples: bodyExamples,
		buttons: buttons.flatMap((button, index) => {
			const type = ButtonFields.shape.type.options.find((known) => known === button.type.toUpperCase())
			return type ? [{ ...newButton(type, `library-${index}`), text: button.text ?? '' }] : []
		}),
		library: { name, types: bodyTypes, additions: [] },
	}
}
