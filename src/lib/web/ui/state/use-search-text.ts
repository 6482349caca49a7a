import { useSearchParams } from 'react-router'
import { withParams } from './with-params.ts'

/** A text of the address (`?search=asha`, or another `name`: a filter, a tab). A change goes back to the first page. */
export function useSearchText(name = 'search'): [text: string, setText: (text: string) => void] {
	const [search, setSearch] = useSearchParams()
	const setText = (text: string) =>
		setSearch(
			(old) => withParams(old, { [name]: text, page: null }),
			// A checkbox or chip that shows this text must not wait for a transition: it would jump back meanwhile.
			{ flushSync: true },
		)
	return [search.get(name) ?? '', setText]
}
