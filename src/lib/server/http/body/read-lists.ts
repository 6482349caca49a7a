import { setImmediate as nextTurn } from 'node:timers/promises'
import * as z from 'zod/mini'

/** Number of list items that are read before other work of the thread gets a turn. */
const ITEMS_PER_TURN = 200
/** Maximum number of described faults. Further ones are only counted. */
export const MAX_ISSUES = 1000

type Issue = z.core.$ZodIssue

export interface ReadInput {
	/** The read value; undefined when the input has faults. */
	data: unknown
	issues: Issue[]
	/** Number of all faults, also beyond `MAX_ISSUES`. */
	issueCount: number
}

/** Reads a value by a shape. */
export type InputReader = (value: unknown) => Promise<ReadInput>

/**
 * Returns the reader of a shape. Lists that are direct fields of the shape are read in pieces with other work in between: 5,000
 * recipients with 50 wrong values each would keep the thread busy for two seconds.
 */
export function createReader(shape: z.ZodMiniType): InputReader {
	const { outer, lists, checks } = splitLists(shape)
	const names = Object.keys(objectOf(outer)?.shape ?? {})
	// Issues without a path concern the whole object and sort last.
	const place = ({ path }: Issue) => (path.length === 0 ? names.length : names.indexOf(String(path[0])))
	let known: Issue[] = []
	const whole = z.any().check((payload) => void payload.issues.push(...(known as z.core.$ZodRawIssue[])), ...checks)
	return async (value) => {
		const result = outer.safeParse(value)
		const issues: Issue[] = result.success ? [] : result.error.issues
		const found = { issues, issueCount: issues.length }
		const items: Record<string, unknown[]> = {}
		for (const [name, element] of lists) {
			const list = listOf(result.success ? result.data : value, name)
			if (list === null || issues.some(({ path }) => path[0] === name)) continue
			items[name] = await readItems(list, { name, element, found })
		}
		if (checks.length === 0 && issues.length === 0)
			return { ...found, data: lists.length === 0 ? result.data : Object.assign(result.data as object, items) }
		// Checks of the whole object run with the faults of its parts known: zod skips some of them when a part is invalid, and
		// runs others.
		known = issues.toSorted((a, b) => place(a) - place(b))
		const checked = whole.safeParse({ ...((result.success ? result.data : value) as object), ...items })
		const all = checked.error?.issues ?? []
		return { data: checked.data, issues: all, issueCount: found.issueCount + all.length - known.length }
	}
}

interface ListPlace {
	name: string
	element: z.ZodMiniType
	/** Collector of the items' faults. */
	found: Pick<ReadInput, 'issues' | 'issueCount'>
}

async function readItems(list: readonly unknown[], { name, element, found }: ListPlace): Promise<unknown[]> {
	const read: unknown[] = []
	for (const [index, item] of list.entries()) {
		if (index > 0 && index % ITEMS_PER_TURN === 0) await nextTurn()
		const result = element.safeParse(item)
		read.push(result.success ? result.data : item)
		if (result.success) continue
		found.issueCount += result.error.issues.length
		const room = Math.max(0, MAX_ISSUES - found.issues.length)
		for (const issue of result.error.issues.slice(0, room))
			found.issues.push({ ...issue, path: [name, index, ...issue.path] })
	}
	return read
}

function listOf(value: unknown, name: string): unknown[] | null {
	const part = (value as Record<string, unknown> | null | undefined)?.[name]
	return Array.isArray(part) ? part : null
}

interface SplitShape {
	/** The shape with lists of unknown items instead of its lists, and without its own checks. */
	outer: z.ZodMiniType
	/** Names of the lists, with the shape of their items. */
	lists: [string, z.ZodMiniType][]
	checks: z.core.$ZodCheck<unknown>[]
}

/** Splits a shape into its lists and the rest. Returns a shape without lists unchanged. */
function splitLists(shape: z.ZodMiniType): SplitShape {
	const def = objectOf(shape)
	const split = Object.entries(def?.shape ?? {}).map(([name, part]) => ({ name, part, ...withoutItems(part) }))
	const lists = split.flatMap(({ name, element }): [string, z.ZodMiniType][] => (element ? [[name, element]] : []))
	if (lists.length === 0) return { outer: shape, lists, checks: [] }
	const parts = Object.fromEntries(split.map(({ name, part, outer }) => [name, outer ?? part]))
	const checks = (def?.checks ?? []) as z.core.$ZodCheck<unknown>[]
	return { outer: z.core.clone(shape, { ...def, shape: parts, checks: [] } as never), lists, checks }
}

function withoutItems(part: z.core.$ZodType): { outer?: z.core.$ZodType; element?: z.ZodMiniType } {
	const { def } = (part as z.core.$ZodArray | z.core.$ZodOptional | z.core.$ZodNullable | z.core.$ZodDefault)._zod
	if (def.type === 'array')
		return {
			outer: z.core.clone(part, { ...def, element: z.unknown() } as never),
			element: def.element as z.ZodMiniType,
		}
	if (def.type !== 'optional' && def.type !== 'nullable' && def.type !== 'default') return {}
	const { outer, element } = withoutItems(def.innerType)
	if (!outer || !element) return {}
	return { outer: z.core.clone(part, { ...def, innerType: outer } as never), element }
}

function objectOf(shape: z.core.$ZodType): z.core.$ZodObjectDef | null {
	const { def } = (shape as z.core.$ZodObject)._zod
	return def.type === 'object' ? def : null
}
