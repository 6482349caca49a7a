import { startTransition, useEffect, useEffectEvent, useState, type ComponentType } from 'react'
import { checkConnection, onReconnect } from '#lib/web/connection.ts'
import { earlyCallsAnswered } from '#lib/web/early-calls.ts'
import { loadLateStyles } from '#lib/web/ui/late-styles.ts'

const RETRY_INTERVAL_MS = 10_000
/** Milliseconds that a late part waits for the page's first content. */
const MAX_WAIT_MS = 1000

/**
 * Returns a component whose code loads after its page, for parts that the page can do without. Renders `Waiting`, or
 * nothing, until then. A failed load is retried after a pause and when the network returns; Chromium then fetches it
 * again, while Firefox and WebKit remember the failure until the page reloads.
 */
export function latePart<Props extends object>(
	load: () => Promise<ComponentType<Props>>,
	Waiting?: ComponentType,
): LatePart<Props> {
	let loaded: ComponentType<Props> | null = null
	const read = async () => {
		const [part] = await Promise.all([load(), loadLateStyles()])
		return (loaded = part)
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

/** `preload` fetches the code before the part is rendered, which then appears without delay. */
export type LatePart<Props> = ComponentType<Props> & { preload: () => void }

/** Fetches the code of parts that may open soon, after the page's first content. */
export function usePreloaded(...parts: readonly { preload: () => void }[]): void {
	const preload = useEffectEvent(() => parts.forEach((part) => part.preload()))
	useEffect(() => oncePageStands(preload), [])
}

/**
 * Calls `run` after the page has rendered its first answer, so that other code does not compete for network and
 * processor. Returns the function that cancels it.
 */
function oncePageStands(run: () => void): () => void {
	let isWanted = true
	const runOnce = () => {
		if (isWanted) run()
		isWanted = false
	}
	const timer = setTimeout(runOnce, MAX_WAIT_MS)
	// WebKit has no requestIdleCallback.
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
	// Error events of elements do not bubble.
	{ capture: true },
)

/** Reloads failed stylesheets: Vite requests a chunk's stylesheet once and later takes it for loaded. */
function loadFailedStyles(): void {
	for (const link of failedStyles) link.replaceWith(link.cloneNode())
	failedStyles.clear()
}
