const KEY = 'chat-drafts'
/** The oldest go first: nobody comes back to more. */
const MAX_DRAFTS = 100

type Store = Pick<Storage, 'getItem' | 'setItem'>

/** What was typed for a chat in this tab and not sent. */
export function readDraftText(store: Store, number: string): string {
	return new Map(readAll(store)).get(number) ?? ''
}

export function storeDraftText(store: Store, number: string, text: string): void {
	const others = readAll(store).filter(([one]) => one !== number)
	const all = text ? [...others, [number, text]] : others
	try {
		store.setItem(KEY, JSON.stringify(all.slice(-MAX_DRAFTS)))
	} catch {
		// A full storage keeps no drafts; what is typed stays on screen all the same.
	}
}

function readAll(store: Store): [string, string][] {
	try {
		const kept: unknown = JSON.parse(store.getItem(KEY) ?? '[]')
		return Array.isArray(kept) ? kept.filter(isDraft) : []
	} catch {
		return []
	}
}

function isDraft(one: unknown): one is [string, string] {
	return Array.isArray(one) && one.length === 2 && one.every((part) => typeof part === 'string')
}
