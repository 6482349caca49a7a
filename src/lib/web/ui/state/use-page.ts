import { useSearchParams } from '#lib/web/router/hooks.ts'
import { withParams } from './with-params.ts'

/** Returns the page of a list, stored in the URL as `?page=2`; page 1 is omitted. */
export function usePage(): [page: number, setPage: (page: number) => void] {
	const [search, setSearch] = useSearchParams()
	const written = Number(search.get('page'))
	const page = Number.isInteger(written) && written > 0 ? written : 1
	const setPage = (next: number) => setSearch((old) => withParams(old, { page: next > 1 ? String(next) : null }))
	return [page, setPage]
}
