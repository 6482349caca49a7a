import { setImmediate as nextTurn } from 'node:timers/promises'
import * as z from 'zod/mini'

/** Items of a list that are read in one turn of the thread. */
const ITEMS_PER_TURN = 200
/** Faults that are described. Further ones are only counted. */
export const MAX_ISSUES = 1000

type Issue = z.core.$ZodIssue

export interface ReadInput {
	/** Defined only for an input without faults. */
	data: unknown
	issues: Issue[]
	/** Of all faults. */
	issueCount: number
}

/** Reads a value by a shape. */
export type InputReader = (value: unknown) => Promise<ReadInput>

/**
 * Makes the reader of a shape. The lists that the shape names directly are read in pieces with other work in between: 5,000
 * recipients of 50 wrong values each kept the thread busy for two seconds.
 */
export function createReader(shape: z.ZodMiniType): InputReader {
	const { outer, lists, checks } = splitLists(shape)
	const names = Object.keys(objectOf(outer)?.shape ?? {})
	// An issue of the whole comes last.
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
		// The checks of the whole see the faults of its parts: some run beside them, the others not.
		known = issues.toSorted((a, b) => place(a) - place(b))
		const checked = whole.safeParse({ ...((result.success ? result.data : value) as object), ...items })
		const all = checked.error?.issues ?? []
		return { data: checked.data, issues: all, issueCount: found.issueCount + all.length - known.length }
	}
}

interface ListPlace {
	name: string
	element: z.ZodMiniType
	/** Collects the faults of the items. */
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
	/** With lists of anything in place of its lists, and without the checks of the whole. */
	outer: z.ZodMiniType
	/** The names of the lists, with the shape of their items. */
	lists: [string, z.ZodMiniType][]
	checks: z.core.$ZodCheck<unknown>[]
}

/** Returns a shape without lists as it is. */
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
