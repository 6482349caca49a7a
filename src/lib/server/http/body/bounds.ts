import * as z from 'zod/mini'

/** Bytes per character of a JSON text: at most four in UTF-8, or two as an escape such as \n. */
const MAX_BYTES_PER_CHARACTER = 4
/** Length of the longest number that JSON.stringify writes, `-2.2250738585072014e-308`. */
const NUMBER_BYTES = 24

/** Upper limits of a value's JSON: bytes, property names, and values of any kind. */
export interface Bounds {
	bytes: number
	names: number
	values: number
}

/**
 * Returns the limits of JSON of this shape. Throws for a shape without a maximum, such as a text whose first check is not its
 * length or a list without a maximum of entries, so that the server does not start with such an endpoint.
 */
export function boundsOf(shape: z.ZodMiniType | undefined, path: string): Bounds {
	return shape ? walk(shape, path) : { bytes: 0, names: 0, values: 0 }
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

function walk(shape: z.core.$ZodType, path: string): Bounds {
	const { def } = (shape as Readable)._zod
	switch (def.type) {
		case 'string':
			return scalar(2 + MAX_BYTES_PER_CHARACTER * maxLength(def, path))
		case 'number':
		case 'boolean':
		case 'null':
		case 'undefined':
		case 'transform':
			return scalar(NUMBER_BYTES)
		case 'literal':
			return scalar(longest(def.values))
		case 'enum':
			return scalar(longest(Object.values(def.entries)))
		case 'optional':
		case 'nullable':
		case 'default':
		case 'catch':
			return walk(def.innerType, path)
		case 'union':
			return def.options.map((option) => walk(option, path)).reduce(larger)
		case 'object':
			return boundsOfObject(def, path)
		case 'array':
			return boundsOfList(def, path)
		case 'record': {
			const key = walk(def.keyType, `${path} (key)`)
			const value = walk(def.valueType, `${path}[]`)
			return times(maxEntries(shape, path), { ...value, bytes: 2 + key.bytes + value.bytes, names: 1 + value.names })
		}
		case 'pipe': {
			const out = walk(def.out, path)
			const given = walk(def.in, path)
			// `JsonList` pipes a list of unknown items into a list of its item shape, so the larger counts apply.
			return { ...larger(given, out), bytes: given.bytes }
		}
		default:
			throw new Error(`${path}: a request cannot hold "${shape._zod.def.type}", of which no maximum is known`)
	}
}

function boundsOfObject(def: z.core.$ZodObjectDef, path: string): Bounds {
	if (def.catchall && def.catchall._zod.def.type !== 'never')
		throw new Error(`${path}: a request cannot hold fields that it does not name`)
	const sum = { bytes: 2, names: 0, values: 1 }
	for (const [name, part] of Object.entries(def.shape)) {
		const { bytes, names, values } = walk(part, `${path}.${name}`)
		sum.bytes += name.length + 4 + bytes
		sum.names += 1 + names
		sum.values += values
	}
	return sum
}

function boundsOfList(def: z.core.$ZodArrayDef, path: string): Bounds {
	const item = isAnything(def.element) ? scalar(0) : walk(def.element, `${path}[]`)
	return times(maxItems(def, path), { ...item, bytes: 1 + item.bytes })
}

function scalar(bytes: number): Bounds {
	return { bytes, names: 0, values: 1 }
}

/** Returns the bounds of a list or object with `count` entries of the given bounds. */
function times(count: number, { bytes, names, values }: Bounds): Bounds {
	return { bytes: 2 + count * bytes, names: count * names, values: 1 + count * values }
}

function larger(a: Bounds, b: Bounds): Bounds {
	return {
		bytes: Math.max(a.bytes, b.bytes),
		names: Math.max(a.names, b.names),
		values: Math.max(a.values, b.values),
	}
}

function longest(values: readonly unknown[]): number {
	return Math.max(...values.map((value) => MAX_BYTES_PER_CHARACTER * String(value).length + 2))
}

interface Checked {
	checks?: z.core.$ZodCheck[] | undefined
	format?: string
}

/**
 * Returns the maximum of the text's first check. Throws when the first check is not its length, or when the shape has a
 * zod format, whose pattern runs before any check.
 */
function maxLength({ checks, format }: Checked, path: string): number {
	const first = checks?.[0]?._zod.def as z.core.$ZodCheckMaxLengthDef | undefined
	if (format === undefined && first?.check === 'max_length' && first.abort === true) return first.maximum
	throw new Error(`${path}: the first check of a text must be its length. Begin with Text(…) of lib/fields.ts`)
}

function maxItems(shape: Checked, path: string): number {
	const maximum = itemLimit(shape)?.maximum
	if (maximum !== undefined) return maximum
	throw new Error(`${path}: a list needs a maximum of items. Add z.maxLength(…)`)
}

/** Returns the list's `maxLength` check with the smallest maximum; undefined without one. */
function itemLimit({ checks = [] }: Checked): z.core.$ZodCheckMaxLengthDef | undefined {
	return checks
		.map(({ _zod }) => _zod.def as z.core.$ZodCheckMaxLengthDef)
		.filter(({ check }) => check === 'max_length')
		.toSorted((a, b) => a.maximum - b.maximum)[0]
}

function maxEntries(shape: z.core.$ZodType, path: string): number {
	const maximum = z.globalRegistry.get(shape)?.maxProperties
	if (typeof maximum === 'number') return maximum
	throw new Error(`${path}: an object with any names needs a maximum of entries. Write Entries(…) of lib/fields.ts`)
}

function isAnything({ _zod }: z.core.$ZodType): boolean {
	return _zod.def.type === 'unknown'
}
