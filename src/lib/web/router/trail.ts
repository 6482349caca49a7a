import { addressOf, type Place, placeOf } from './place.ts'

/** State of an entry of the browser's history. `idx` numbers the entries, so that a step can be undone. */
interface Entry {
	/** `Place.state` of the page. */
	usr: unknown
	key: string
	idx: number
}

export type Browser = Pick<Window, 'history' | 'location' | 'addEventListener'>

interface Watcher {
	/** Returns true when the step to the place must not happen. `proceed` takes it after all. */
	isBlocked: (to: Place, proceed: () => void) => boolean
	/** Receives the place that the browser has stepped to. */
	onStep: (to: Place) => void
}

/**
 * Returns the browser's history, whose entries it numbers. The browser changes the address before it reports a step back
 * or forward; the trail undoes a blocked step.
 */
export function createTrail({ history, location, addEventListener }: Browser, { isBlocked, onStep }: Watcher) {
	const entry = () => (history.state ?? {}) as Partial<Entry>
	const url = () => new URL(location.href)
	const place = () => placeOf(url(), entry().usr ?? null, entry().key ?? 'default')
	/** Number of the current entry, also while a blocked step is being undone. */
	let index = entry().idx ?? 0
	/** Step that the trail itself takes: back to a blocked page, or on from it. */
	let ownStep: 'undo' | 'proceed' | null = null

	const number = (idx: number) => history.replaceState({ ...entry(), idx }, '')
	number(index)

	addEventListener('popstate', () => {
		// A link to a fragment makes an entry without a number.
		if (entry().idx === undefined) number(index + 1)
		const { idx = index } = entry()
		const [steps, own] = [idx - index, ownStep]
		ownStep = null
		if (own === 'undo') return
		const proceed = () => {
			ownStep = 'proceed'
			history.go(steps)
		}
		if (own === null && steps !== 0 && isBlocked(place(), proceed)) {
			ownStep = 'undo'
			history.go(-steps)
			return
		}
		index = idx
		onStep(place())
	})

	return {
		url,
		place,
		/** Changes the address. Loads the page when the browser refuses, as Safari does after 100 changes in 30 seconds. */
		write(to: Place, kind: 'push' | 'replace'): void {
			const address = location.origin + addressOf(to)
			const idx = kind === 'push' ? index + 1 : index
			const state: Entry = { usr: to.state, key: to.key, idx }
			try {
				if (kind === 'push') history.pushState(state, '', address)
				else history.replaceState(state, '', address)
				index = idx
			} catch {
				location.assign(address)
			}
		},
	}
}
