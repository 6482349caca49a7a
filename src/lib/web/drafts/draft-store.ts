import { DAY_MS } from '#lib/durations.ts'
import { DRAFT_PREFIX, keysOf, storedUserId } from '../session.ts'

/** A stored draft: values typed into a form that was neither sent nor discarded. */
interface StoredDraft {
	/** Time of writing, in milliseconds since 1970. */
	at: number
	values: unknown
	/** The form's values when it opened. */
	base: unknown
}

type Texts = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'length' | 'key'>

const LIFETIME_MS = 7 * DAY_MS
/** Maximum number of drafts; the oldest above it are removed. */
const MAX_DRAFTS = 200
const SECRET = /password|token|secret/i

interface DraftPlace {
	userId: string
	/** Form and subject, such as `contact:12`. */
	name: string
}

interface DraftStore {
	/** Returns the draft's values; null without a draft or after its expiry. */
	read(): unknown
	/** Returns the form's values when the draft's form opened. */
	readBase(): unknown
	/** Stores the values without passwords, tokens and secrets. Stores nothing when the rest equals `initial`. */
	write(values: unknown, initial: unknown): void
	clear(): void
}

export function draftStore(texts: Texts, { userId, name }: DraftPlace): DraftStore {
	const key = `${DRAFT_PREFIX}${userId}:${name}`
	const clear = () => texts.removeItem(key)
	const recent = () => {
		const kept = parse(texts.getItem(key))
		return kept && Date.now() - kept.at < LIFETIME_MS ? kept : null
	}
	return {
		read: () => recent()?.values ?? null,
		readBase: () => recent()?.base ?? null,
		write(values, initial) {
			const [kept, base] = [textOf(values), textOf(initial)]
			if (kept === base) return clear()
			try {
				texts.setItem(key, `{"at":${Date.now()},"values":${kept},"base":${base}}`)
			} catch {
				// A full or locked storage must not interrupt typing.
			}
		},
		clear,
	}
}

let isSwept = false

/** Returns the signed-in user's draft store of a form. */
export function draftOf(name: string): DraftStore {
	if (!isSwept) sweepDrafts(localStorage)
	isSwept = true
	return draftStore(localStorage, { userId: storedUserId() ?? '', name })
}

/** Removes expired drafts, and the oldest above MAX_DRAFTS. */
export function sweepDrafts(texts: Texts): void {
	const drafts = keysOf(texts)
		.filter((key) => key.startsWith(DRAFT_PREFIX))
		.map((key) => ({ key, at: parse(texts.getItem(key))?.at ?? 0 }))
		.toSorted((one, other) => other.at - one.at)
	const oldest = Date.now() - LIFETIME_MS
	for (const [index, { key, at }] of drafts.entries()) if (index >= MAX_DRAFTS || at < oldest) texts.removeItem(key)
}

/**
 * Merges a draft's values over the initial ones, without unknown fields; null when the draft is no object or a value
 * has another type than in the form. A null fits any type.
 */
export function likeForm<Values extends object>(kept: unknown, initial: Values): Values | null {
	if (typeof kept !== 'object' || kept === null) return null
	const found = Object.entries(kept).filter(([name]) => name in initial)
	const isFitting = found.every(([name, value]) => isAlike(value, initial[name as keyof Values]))
	return isFitting ? { ...initial, ...Object.fromEntries(found) } : null
}

/**
 * Merges a draft over the saved values of an edit form. A field counts as typed when the draft differs from `base`, the
 * form's values at opening, and the saved value still equals it; other fields show the saved value. Returns the whole
 * draft when `base` is unusable, and null when the draft is unusable or no typed field is left.
 */
export function ontoSaved<Values extends object>(kept: unknown, initial: Values, base: unknown): Values | null {
	const typed = likeForm(kept, initial)
	const opened = likeForm(base, initial)
	if (!typed || !opened) return typed
	const isStill = (name: keyof Values) =>
		textOf(opened[name]) === textOf(initial[name]) && textOf(typed[name]) !== textOf(opened[name])
	const names = (Object.keys(initial) as (keyof Values)[]).filter(isStill)
	return names.length > 0 ? { ...initial, ...Object.fromEntries(names.map((name) => [name, typed[name]])) } : null
}

function isAlike(value: unknown, model: unknown): boolean {
	if (value === null || model === null) return true
	return typeof value === typeof model && Array.isArray(value) === Array.isArray(model)
}

function textOf(values: unknown): string {
	return JSON.stringify(values, (name, value: unknown) => (SECRET.test(name) ? undefined : value))
}

function parse(text: string | null): StoredDraft | null {
	try {
		const read: unknown = JSON.parse(text ?? 'null')
		const isKept = typeof read === 'object' && read !== null && 'at' in read && typeof read.at === 'number'
		if (!isKept || !('values' in read)) return null
		return { at: read.at as number, values: read.values, base: 'base' in read ? read.base : null }
	} catch {
		return null
	}
}
