import { useCallback, useEffect, useEffectEvent, useMemo, useState } from 'react'
import type { PathParams } from './match.ts'
import type { Place } from './place.ts'
import { usePage, useRouter } from './router-view.tsx'
import type { NavigateOptions, Router } from './router.ts'

export function useLocation(): Place {
	return usePage().place
}

/** Returns the values of the named parts of the screen's path. */
export function useParams(): PathParams {
	return usePage().params
}

/** Returns the function that opens another page; it stays the same. */
export function useNavigate(): Router['navigate'] {
	return useRouter().navigate
}

type Search = ConstructorParameters<typeof URLSearchParams>[0]
type SetSearch = (next: Search | ((old: URLSearchParams) => Search), options?: NavigateOptions) => void

/** Returns the query of the address, and the function that changes it; the function stays the same. */
export function useSearchParams(): [search: URLSearchParams, setSearch: SetSearch] {
	const { search } = useLocation()
	const router = useRouter()
	const setSearch = useCallback<SetSearch>(
		(next, options) => {
			const old = new URLSearchParams(router.routed().page?.place.search)
			const wanted = new URLSearchParams(typeof next === 'function' ? next(old) : next)
			void router.navigate({ search: wanted.toString() }, options)
		},
		[router],
	)
	return [useMemo(() => new URLSearchParams(search), [search]), setSearch]
}

/**
 * Stops navigations for which `blocks` returns true. Returns the functions that continue the stopped navigation and
 * that stay; null without one.
 */
export function useBlocker(blocks: (from: Place, to: Place) => boolean) {
	const router = useRouter()
	const [proceed, setProceed] = useState<(() => void) | null>(null)
	const ask = useEffectEvent(blocks)
	useEffect(
		() => router.block({ blocks: (from, to) => ask(from, to), onBlocked: (next) => setProceed(() => next) }),
		[router],
	)
	if (!proceed) return null
	const stay = () => setProceed(null)
	return {
		stay,
		leave: () => {
			stay()
			proceed()
		},
	}
}
