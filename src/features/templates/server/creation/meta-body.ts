import { exampleUrl, withCountryCode } from '#features/templates/button-rules.ts'
import type { Component, TemplateButton } from '#features/templates/contract.ts'
import { isMediaHeader } from '#features/templates/limits.ts'
import { isNamed, tidyVariables, variablesIn } from '#features/templates/placeholders.ts'
import { readTtl, type CardDraft, type TemplateDraft } from '#features/templates/rules.ts'

/** Request body for a new template, as Meta documents it. */
export interface MetaTemplateBody {
	name: string
	language: string
	category: string
	/** When absent, the variables are positional. */
	parameter_format?: 'NAMED'
	/** When absent, Meta's default applies: 30 days, or ten minutes for AUTHENTICATION. */
	message_send_ttl_seconds?: number
	components: Component[]
	/** Fields that replace the components in the request for a template of Meta's library. */
	library?: LibraryFields
}

interface LibraryFields {
	library_template_name: string
	/** JSON text: address or phone number of each button that needs one, in their order. */
	library_template_button_inputs?: string
	library_template_body_inputs?: Record<string, true>
}

/** Returns the request that creates this template. */
export function requestOf({ components, library, ...head }: MetaTemplateBody): object {
	return library ? { ...head, ...library } : { ...head, components }
}

/** Handles of the uploaded sample files: that of the header, and those of the cards in order. */
export interface SampleHandles {
	header?: string | undefined
	cards?: readonly string[]
}

/** Builds the request for a valid draft. */
export function metaBody(draft: TemplateDraft, handles: SampleHandles = {}): MetaTemplateBody {
	const ttl = readTtl(draft)
	const head = {
		name: draft.name.trim(),
		language: draft.language.trim(),
		category: draft.category,
		...(ttl !== null && { message_send_ttl_seconds: ttl }),
		...(draft.library_template_name && { library: libraryFields(draft, draft.library_template_name) }),
	}
	if (draft.category === 'AUTHENTICATION') return { ...head, components: presetComponents(draft) }
	const body = tidyVariables(draft.body_text.trim())
	const footer = (draft.footer_text ?? '').trim()
	const header = draft.header_type === 'TEXT' ? tidyVariables((draft.header_text ?? '').trim()) : ''
	const cards = draft.kind === 'CAROUSEL' ? (draft.cards ?? []) : []
	const inCards = cards.flatMap(({ body_text }) => variablesIn(body_text))
	const hasNames = isNamed([...variablesIn(header), ...variablesIn(body), ...inCards])
	return {
		...head,
		...(hasNames && { parameter_format: 'NAMED' as const }),
		components: [
			...headerComponents(draft, { text: header, sampleHandle: handles.header }),
			...offerComponents(draft),
			...bodyComponents(body, draft.body_examples),
			...(footer ? [{ type: 'FOOTER', text: footer }] : []),
			...buttonComponents(draft.buttons),
			...(cards.length > 0
				? [{ type: 'CAROUSEL', cards: cards.map((card, index) => metaCard(card, handles.cards?.[index])) }]
				: []),
		],
	}
}

function metaCard(card: CardDraft, sampleHandle: string | undefined): { components: Component[] } {
	return {
		components: [
			...headerComponents(card, { text: '', sampleHandle }),
			...bodyComponents(tidyVariables(card.body_text.trim()), card.body_examples),
			...buttonComponents(card.buttons),
		],
	}
}

function offerComponents({ kind, offer_text = '' }: TemplateDraft): Component[] {
	if (kind !== 'LIMITED_TIME_OFFER') return []
	return [{ type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: offer_text.trim(), has_expiration: true } }]
}

function bodyComponents(text: string, examples: readonly string[]): Component[] {
	return text === '' ? [] : [{ type: 'BODY', text, ...exampleOf('body', text, examples) }]
}

function buttonComponents(buttons: readonly TemplateButton[]): Component[] {
	return buttons.length > 0 ? [{ type: 'BUTTONS', buttons: buttons.map(metaButton) }] : []
}

function headerComponents(
	draft: Pick<TemplateDraft, 'header_type' | 'header_example'>,
	{ text, sampleHandle }: { text: string; sampleHandle: string | undefined },
): Component[] {
	const format = draft.header_type
	if (format === 'TEXT') {
		return [{ type: 'HEADER', format, text, ...exampleOf('header', text, [draft.header_example ?? '']) }]
	}
	if (format === 'LOCATION') return [{ type: 'HEADER', format }]
	if (!isMediaHeader(format)) return []
	if (sampleHandle === undefined) throw new Error(`a header of kind ${format} needs its uploaded sample`)
	return [{ type: 'HEADER', format, example: { header_handle: [sampleHandle] } }]
}

/**
 * Returns the examples in Meta's form: a list for the header, a nested list for the body, pairs for named variables.
 */
function exampleOf(part: 'header' | 'body', text: string, examples: readonly string[]): { example?: object } {
	const variables = variablesIn(text)
	if (variables.length === 0) return {}
	const values = variables.map((_, index) => (examples[index] ?? '').trim())
	if (isNamed(variables)) {
		const pairs = variables.map((name, index) => ({ param_name: name, example: values[index] }))
		return { example: { [`${part}_text_named_params`]: pairs } }
	}
	return { example: part === 'body' ? { body_text: [values] } : { header_text: values } }
}

function metaButton(button: TemplateButton): { type: string; [key: string]: unknown } {
	const { type } = button
	if (type === 'COPY_CODE') return { type, example: (button.code_example ?? '').trim() }
	if (type === 'REQUEST_CONTACT_INFO') return { type }
	const text = (button.text ?? '').trim()
	if (type === 'QUICK_REPLY') return { type, text }
	if (type === 'PHONE_NUMBER') return { type, text, phone_number: withCountryCode(button.phone_number ?? '') }
	const url = (button.url ?? '').trim()
	return { type, text, url, ...(variablesIn(url).length > 0 && { example: [exampleUrl(button)] }) }
}

function libraryFields({ buttons, library_additions = [] }: TemplateDraft, name: string): LibraryFields {
	const inputs = buttons.flatMap((button): object[] => {
		const { type, url, phone_number, example } = metaButton(button)
		if (type === 'PHONE_NUMBER') return [{ type, phone_number }]
		if (type !== 'URL') return []
		return [{ type, url: { base_url: url, ...(example !== undefined && { url_suffix_example: exampleUrl(button) }) } }]
	})
	const additions = library_additions.map((addition) => [addition, true] as const)
	return {
		library_template_name: name,
		...(inputs.length > 0 && { library_template_button_inputs: JSON.stringify(inputs) }),
		...(additions.length > 0 && { library_template_body_inputs: Object.fromEntries(additions) }),
	}
}

/** Returns the components of an AUTHENTICATION template: Meta's preset text, and one button that copies the code. */
function presetComponents(draft: TemplateDraft): Component[] {
	const minutes = (draft.code_expiration_minutes ?? '').trim()
	const text = (draft.otp_button_text ?? '').trim()
	return [
		{ type: 'BODY', ...(draft.add_security_recommendation === 'true' && { add_security_recommendation: true }) },
		...(minutes ? [{ type: 'FOOTER', code_expiration_minutes: Number(minutes) }] : []),
		{ type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE', ...(text && { text }) }] },
	]
}
