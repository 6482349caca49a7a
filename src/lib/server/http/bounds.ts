import * as z from 'zod/mini'

/** A browser sends a code point as at most four bytes of UTF-8, or as an escape such as \n. */
const MAX_BYTES_PER_CHARACTER = 4
/** The longest number that JSON.stringify writes is `-2.2250738585072014e-308`. */
const NUMBER_BYTES = 24

/**
 * How many bytes of JSON a value of this shape may have. Throws for a shape without a maximum: a text whose length is not
 * checked first, a list or object with any number of entries. So no server starts with an endpoint that reads one.
 */
export function maxBytesOf(shape: z.ZodMiniType | undefined, path: string): number {
	return shape ? walk(shape, path) : 0
}

type Readable =
	| z.core.$ZodString
	| z.core.$ZodNumber
	| z.core.$ZodBoolean
	| z.core.$ZodNull
	| z.core.$ZodUndefined
	| z.core.$ZodTransform
	| z.core.$ZodLiteral
	| z.core.$ZodEnum
	| z.core.$ZodOptional
	| z.core.$ZodNullable
	| z.core.$ZodDefault
	| z.core.$ZodCatch
	| z.core.$ZodUnion
	| z.core.$ZodObject
	| z.core.$ZodArray
	| z.core.$ZodRecord
	| z.core.$ZodPipe

function walk(shape: z.core.$ZodType, path: string): number {
	const { def } = (shape as Readable)._zod
	switch (def.type) {
		case 'string':
			return 2 + MAX_BYTES_PER_CHARACTER * maxLength(def, path)
		case 'number':
		case 'boolean':
		case 'null':
		case 'undefined':
		case 'transform':
			return NUMBER_BYTES
		case 'literal':
			return longest(def.values)
		case 'enum':
			return longest(Object.values(def.entries))
		case 'optional':
		case 'nullable':
		case 'default':
		case 'catch':
			return walk(def.innerType, path)
		case 'union':
			return Math.max(...def.options.map((option) => walk(option, path)))
		case 'object':
			if (def.catchall && def.catchall._zod.def.type !== 'never')
				throw new Error(`${path}: a request cannot hold fields that it does not name`)
			return Object.entries(def.shape).reduce(
				(sum, [name, part]) => sum + name.length + 4 + walk(part, `${path}.${name}`),
				2,
			)
		case 'array':
			// What a list of anything holds is checked by the shape that it is piped to.
			return 2 + maxItems(def, path) * (1 + (isAnything(def.element) ? 0 : walk(def.element, `${path}[]`)))
		case 'record':
			return 2 + maxEntries(shape, path) * (2 + walk(def.keyType, `${path} (key)`) + walk(def.valueType, `${path}[]`))
		case 'pipe':
			walk(def.out, path)
			return walk(def.in, path)
		default:
			throw new Error(`${path}: a request cannot hold "${shape._zod.def.type}", of which no maximum is known`)
	}
}

function longest(values: readonly unknown[]): number {
	return Math.max(...values.map((value) => MAX_BYTES_PER_CHARACTER * String(value).length + 2))
}

interface Checked {
	checks?: z.core.$ZodCheck[] | undefined
	format?: string
}

/** Refuses a shape with a format of its own, too: its pattern comes before any check. */
function maxLength({ checks, format }: Checked, path: string): number {
	const first = checks?.[0]?._zod.def as z.core.$ZodCheckMaxLengthDef | undefined
	if (format === undefined && first?.check === 'max_length' && first.abort === true) return first.maximum
	throw new Error(`${path}: the first check of a text must be its length. Begin with Text(…) of lib/fields.ts`)
}

function maxItems({ checks = [] }: Checked, path: string): number {
	const found = checks.map(({ _zod }) => _zod.def as z.core.$ZodCheckMaxLengthDef)
	const maxima = found.flatMap(({ check, maximum }) => (check === 'max_length' ? [maximum] : []))
	if (maxima.length > 0) return Math.min(...maxima)
	throw new Error(`${path}: a list needs a maximum of items. Add z.maxLength(…)`)
}

function maxEntries(shape: z.core.$ZodType, path: string): number {
	const maximum = z.globalRegistry.get(shape)?.maxProperties
	if (typeof maximum === 'number') return maximum
	throw new Error(`${path}: an object with any names needs a maximum of entries. Write Entries(…) of lib/fields.ts`)
}

function isAnything({ _zod }: z.core.$ZodType): boolean {
	return _zod.def.type === 'unknown'
}
