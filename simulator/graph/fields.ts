import { unknownField } from './errors.ts'
import type { JsonObject } from './json.ts'

interface Projection {
	/** The value of the `fields` parameter. */
	requested: string | null
	/** The fields returned when `requested` is null. */
	defaults: readonly string[]
	/** The object's type, for the error message. */
	node: string
}

/** Returns the requested fields and the id of an object. Leaves out fields without a value, as Graph does. */
export function project(object: JsonObject, { requested, defaults, node }: Projection): JsonObject {
	const answer: JsonObject = {}
	for (const plain of requested ? namesIn(requested) : defaults) {
		if (!(plain in object)) throw unknownField(plain, node)
		const value = object[plain]
		if (value !== null && value !== undefined) answer[plain] = value
	}
	if ('id' in object) answer['id'] = object['id']
	return answer
}

// Returns the field names in the `fields` parameter. Graph also accepts parts of a field (`health_status{entities}`,
// `analytics.start(1)`); here the whole field is returned.
function namesIn(requested: string): string[] {
	const plain = requested.replace(/\{[^{}]*\}|\([^()]*\)/g, '')
	return plain.split(',').map((name) => name.trim().replace(/[.{(][^]*/, ''))
}
