import { useSearchParams } from 'react-router'
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
			// Without a transition, since a controlled checkbox or chip would jump back meanwhile.
			{ flushSync: true },
		)
	return [search.get(name) ?? '', setText]
}
