import { GraphError, notOneOf } from '../errors.ts'
import { type JsonObject, listAt, objectAt, onlyKeys, textAt } from '../json.ts'

/** One part of a template message as received. */
export interface Part {
	type: string
	parameters: JsonObject[]
	whole: JsonObject
}

/** The parts of a message, or of one of its cards, by type. */
export interface Parts {
	header: Part | null
	body: Part | null
	limited_time_offer: Part | null
	carousel: Part | null
	buttons: Part[]
}

export function partsOf(components: unknown, at = 'template.components'): Parts {
	const parts: Parts = { header: null, body: null, limited_time_offer: null, carousel: null, buttons: [] }
	if (components === undefined) return parts
	for (const [index, component] of listAt(components, at).entries()) {
		const part = partOf(component, `${at}.${index}`)
		if (part.type === 'button') {
			parts.buttons.push(part)
			continue
		}
		const slot = part.type as Exclude<keyof Parts, 'buttons'>
		if (parts[slot]) throw new GraphError(132012, { details: `${slot}: component is given more than once` })
		parts[slot] = part
	}
	return parts
}

const TYPES = ['HEADER', 'BODY', 'BUTTON', 'LIMITED_TIME_OFFER', 'CAROUSEL']

function partOf(component: unknown, path: string): Part {
	const whole = objectAt(component, path)
	onlyKeys(whole, path, ['type', 'parameters', 'sub_type', 'index', 'cards'])
	const type = textAt(whole['type'], `${path}.type`).toLowerCase()
	if (!TYPES.includes(type.toUpperCase())) throw notOneOf(`${path}.type`, TYPES, whole['type'])
	const parameters = whole['parameters'] === undefined ? [] : listAt(whole['parameters'], `${path}.parameters`)
	return { type, parameters: parameters.map((each) => objectAt(each, `${path}.parameters`)), whole }
}
