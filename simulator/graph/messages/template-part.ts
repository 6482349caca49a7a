import { GraphError, notOneOf } from '../errors.ts'
import { type JsonObject, listAt, objectAt, onlyKeys, textAt } from '../json.ts'

/** One part of a template message as received. */
export interface Part {
	type: string
	parameters: JsonObject[]
	whole: JsonObject
}

export function partsOf(components: unknown): { header: Part | null; body: Part | null; buttons: Part[] } {
	const parts = { header: null as Part | null, body: null as Part | null, buttons: [] as Part[] }
	if (components === undefined) return parts
	for (const [index, component] of listAt(components, 'template.components').entries()) {
		const part = partOf(component, `template.components.${index}`)
		if (part.type === 'button') {
			parts.buttons.push(part)
			continue
		}
		const slot = part.type as 'header' | 'body'
		if (parts[slot]) throw new GraphError(132012, { details: `${slot}: component is given more than once` })
		parts[slot] = part
	}
	return parts
}

function partOf(component: unknown, path: string): Part {
	const whole = objectAt(component, path)
	onlyKeys(whole, path, ['type', 'parameters', 'sub_type', 'index'])
	const type = textAt(whole['type'], `${path}.type`).toLowerCase()
	if (!['header', 'body', 'button'].includes(type)) {
		throw notOneOf(`${path}.type`, ['HEADER', 'BODY', 'BUTTON'], whole['type'])
	}
	const parameters = whole['parameters'] === undefined ? [] : listAt(whole['parameters'], `${path}.parameters`)
	return { type, parameters: parameters.map((each) => objectAt(each, `${path}.parameters`)), whole }
}
