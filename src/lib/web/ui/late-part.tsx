import { startTransition, useEffect, useEffectEvent, useState, type ComponentType } from 'react'
import { checkConnection, onReconnect } from '#lib/web/connection.ts'
import { earlyCallsAnswered } from '#lib/web/early-calls.ts'

const RETRY_INTERVAL_MS = 10_000
/** How long a late part waits for what the page shows first. */
const MAX_WAIT_MS = 1000

/**
 * A part whose code is loaded after the page that it stands on, and without which the page is still of use. `Waiting`, or
 * nothing, is shown while the code is missing; when it cannot be loaded, it is asked for again after a while, and as soon as the network is back.
 * Chromium then fetches it anew; Firefox and WebKit remember a module that failed until the page itself is loaded again.
 */
export function latePart<Props extends object>(
	load: () => Promise<ComponentType<Props>>,
	Waiting?: ComponentType,
): LatePart<Props> {
	let loaded: ComponentType<Props> | null = null
	const read = async () => {
		loaded = await load()
		return loaded
	}
	function Late(props: Props) {
		const [Part, setPart] = useState(() => loaded)
		useEffect(() => {
			if (Part) return undefined
			let isShown = true
			const attempt = () => {
				clearTimeout(timer)
				loadFailedStyles()
				read().then(
					(part) => {
						if (isShown) startTransition(() => setPart(() => part))
					},
					() => {
						if (isShown) timer = setTimeout(attempt, RETRY_INTERVAL_MS)
						void checkConnection()
					},
				)
			}
			let timer: ReturnType<typeof setTimeout> | undefined
			const unsubscribe = onReconnect(attempt)
			const forget = oncePageStands(attempt)
			return () => {
				isShown = false
				clearTimeout(timer)
				forget()
				unsubscribe()
			}
		}, [Part])
		return Part ? <Part {...props} /> : Waiting && <Waiting />
	}
	return Object.assign(Late, { preload: () => void read().catch(() => {}) })
}

/** `preload` fetches the code before the part is shown, which then stands at once. */
type LatePart<Props> = ComponentType<Props> & { preload: () => void }

/** Fetches the code of parts that somebody may soon open, once the page itself stands. */
export function usePreloaded(...parts: readonly { preload: () => void }[]): void {
	const preload = useEffectEvent(() => parts.forEach((part) => part.preload()))
	useEffect(() => oncePageStands(preload), [])
}

/**
 * Runs it once the page shows what it is for: the first answer is there, and rendered. Until then code of other parts would
 * only share the network and the processor with that. Returns how to call it off.
 */
function oncePageStands(run: () => void): () => void {
	let isWanted = true
	const runOnce = () => {
		if (isWanted) run()
		isWanted = false
	}
	const timer = setTimeout(runOnce, MAX_WAIT_MS)
	// WebKit does not tell when it is idle.
	void earlyCallsAnswered().then(() =>
		'requestIdleCallback' in window ? requestIdleCallback(runOnce) : setTimeout(runOnce),
	)
	return () => {
		isWanted = false
		clearTimeout(timer)
	}
}

const failedStyles = new Set<HTMLLinkElement>()

window.addEventListener(
	'error',
	({ target }) => {
		if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') failedStyles.add(target)
	},
	// Such an error does not bubble.
	{ capture: true },
)

/** Vite asks for the stylesheet of a chunk once, and takes it for loaded the next time, whatever has become of it. */
function loadFailedStyles(): void {
	for (const link of failedStyles) link.replaceWith(link.cloneNode())
	failedStyles.clear()
}
