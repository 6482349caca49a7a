import { useSearchParams } from '#lib/web/router/hooks.ts'
import { withParams } from './with-params.ts'

/**
 * Returns a text stored in the URL, such as `?search=asha`; `name` may also be a filter or tab. A change returns to
 * page 1.
 */
export function useSearchText(name = 'search'): [text: string, setText: (text: string) => void] {
	const [search, setSearch] = useSearchParams()
	const setText = (text: string) =>
		setSearch(
			(old) => withParams(old, { [name]: text, page: null }),
			// A transition would let a controlled checkbox or chip jump back until it ends.
			{ flushSync: true },
		)
	return [search.get(name) ?? '', setText]
}
