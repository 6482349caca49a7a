import type { Component } from '#simulator/state/templates.ts'
import type { Call } from '../call.ts'
import { isObject, type JsonObject, shown, stringOf } from '../json.ts'
import { page } from '../paging.ts'
import { unpacked } from '../params.ts'
import { checkButtons, storedButton } from './buttons.ts'
import { LIBRARY_TEXTS, type LibraryText } from './library-texts.ts'
import { refusal } from './refusal.ts'

/** Returns the page of the library's texts that match the search, topic, use case, industry and language. */
export function listLibrary(call: Call): unknown {
	const wanted = (name: string) => call.query.get(name)?.toLowerCase() ?? ''
	const search = wanted('search')
	const matches = LIBRARY_TEXTS.filter(
		(text) =>
			[text.name, text.header, text.body].some((part) => part?.toLowerCase().includes(search)) &&
			(['topic', 'usecase', 'language'] as const).every(
				(name) => wanted(name) === '' || text[name].toLowerCase() === wanted(name),
			) &&
			(wanted('industry') === '' || text.industry.some((industry) => industry.toLowerCase() === wanted('industry'))),
	)
	return page(matches, call, showText)
}

function showText({ params, ...text }: LibraryText): JsonObject {
	return {
		...text,
		category: 'UTILITY',
		body_params: params.map(([example]) => example),
		body_param_types: params.map(([, type]) => type),
	}
}

const ADDITIONS: Record<string, string> = {
	add_contact_number: 'For help, call the number below.',
	add_learn_more_link: 'You can read more on our website.',
	add_track_package_link: 'Follow it with the link below.',
}

/** Returns the components of a template that is created from the library; null when the request names no library text. */
export function libraryComponents(params: JsonObject, language: string): Component[] | null {
	const name = stringOf(params['library_template_name'])
	if (name === null) return null
	const text = LIBRARY_TEXTS.find((each) => each.name === name && each.language === language)
	if (!text) throw refusal('library', `There is no library template ${name} in the language ${language}.`)
	if (params['category'] !== 'UTILITY') throw refusal('library', 'Its category is UTILITY.')
	const options = unpacked(params['library_template_body_inputs'])
	const chosen = isObject(options) ? Object.keys(options).filter((option) => options[option] === true) : []
	const sentences = chosen.map((option) => {
		const sentence = ADDITIONS[option]
		if (sentence === undefined) throw refusal('library', `The body input ${option} is not known.`)
		return sentence
	})
	const body = [text.body, ...sentences].join(' ')
	const buttons = buttonsOf(text, unpacked(params['library_template_button_inputs']))
	return [
		...(text.header === undefined ? [] : [{ type: 'HEADER', format: 'TEXT', text: text.header }]),
		{ type: 'BODY', text: body, example: { body_text: [text.params.map(([example]) => example)] } },
		...(buttons.length === 0 ? [] : [{ type: 'BUTTONS', buttons }]),
	]
}

/** Returns the text's buttons with the addresses and phone numbers of the inputs, which must match them in number and kind. */
function buttonsOf({ buttons }: LibraryText, inputs: unknown): unknown[] {
	const given = Array.isArray(inputs) ? inputs.filter(isObject) : []
	if (given.length !== buttons.length) {
		throw refusal('library', `It needs inputs for ${buttons.length} buttons, not ${given.length}.`)
	}
	const filled = buttons.map(({ type, text }, index) => {
		const input = given[index] ?? {}
		if (shown(input['type']) !== type) throw refusal('library', `The input of button ${index} is not of type ${type}.`)
		if (type === 'PHONE_NUMBER') return storedButton({ type, text, phone_number: input['phone_number'] })
		const url = isObject(input['url']) ? input['url'] : {}
		const suffix = url['url_suffix_example']
		return { type, text, url: url['base_url'], ...(suffix !== undefined && { example: [suffix] }) }
	})
	if (filled.length > 0) checkButtons(filled, 'library_template_button_inputs')
	return filled
}
