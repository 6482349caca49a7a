import { useSearchParams } from 'react-router'

/** A text of the address (`?search=asha`, or another `name`: a filter, a tab). A change goes back to the first page. */
export function useSearchText(name = 'search'): [text: string, setText: (text: string) => void] {
	const [search, setSearch] = useSearchParams()
	const setText = (text: string) =>
		setSearch(
			(old) => {
				const params = new URLSearchParams(old)
				if (text) params.set(name, text)
				else params.delete(name)
				params.delete('page')
				return params
			},
			// A checkbox or chip that shows this text must not wait for a transition: it would jump back meanwhile.
			{ flushSync: true },
		)
	return [search.get(name) ?? '', setText]
}
