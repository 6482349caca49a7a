import {
	Component,
	createContext,
	Fragment,
	startTransition,
	useContext,
	useLayoutEffect,
	useState,
	type ReactNode,
} from 'react'
import { flushSync } from 'react-dom'
import { keepScroll, useKeptScroll } from './kept-scroll.ts'
import type { Place } from './place.ts'
import type { Page, Router } from './router.ts'

const RouterContext = createContext<Router | null>(null)
const PageContext = createContext<Page | null>(null)
const LoadingContext = createContext(false)

/** Returns the router. Throws outside `RouterView`, as `usePage` does. */
export function useRouter(): Router {
	return inside(useContext(RouterContext))
}

export function usePage(): Page {
	return inside(useContext(PageContext))
}

/** Returns true while the code of the next screen loads. */
export function useIsLoading(): boolean {
	return useContext(LoadingContext)
}

function inside<T>(value: T | null): T {
	if (value === null) throw new Error('Links and screens need a RouterView around them.')
	return value
}

interface RouterViewProps {
	router: Router
	/** Replaces a screen that could not be loaded or rendered. */
	failure: ReactNode
}

/** Renders the router's page in its frame, once the first page has loaded. */
export function RouterView({ router, failure }: RouterViewProps) {
	const [{ page, isLoading }, setRouted] = useState(router.routed)
	useLayoutEffect(() => {
		let shown: Page | null = null
		return router.subscribe((next, isUrgent) => {
			if (shown && shown !== next.page) keepScroll(shown)
			shown = next.page
			// A transition keeps the page usable while the next one renders.
			if (isUrgent) flushSync(() => setRouted(next))
			else startTransition(() => setRouted(next))
		})
	}, [router])
	useKeptScroll(page)
	if (!page) return null
	const { place, Screen, Frame } = page
	const Around = Frame ?? Fragment
	return (
		<RouterContext value={router}>
			<PageContext value={page}>
				<LoadingContext value={isLoading}>
					<FailureBoundary place={place} failure={failure}>
						<Around>
							<FailureBoundary place={place} failure={failure}>
								{Screen ? <Screen /> : failure}
							</FailureBoundary>
						</Around>
					</FailureBoundary>
				</LoadingContext>
			</PageContext>
		</RouterContext>
	)
}

interface BoundaryProps {
	place: Place
	failure: ReactNode
	children: ReactNode
}

/** Renders `failure` when a child throws, until the next navigation. */
class FailureBoundary extends Component<BoundaryProps, { place: Place; hasFailed: boolean }> {
	override state = { place: this.props.place, hasFailed: false }

	static getDerivedStateFromError() {
		return { hasFailed: true }
	}

	static getDerivedStateFromProps({ place }: BoundaryProps, shown: { place: Place }) {
		return place === shown.place ? null : { place, hasFailed: false }
	}

	override render() {
		return this.state.hasFailed ? this.props.failure : this.props.children
	}
}
