import { useSearchParams } from 'react-router'
import { withParams } from './with-params.ts'

/** The page of a list, kept in the address as `?page=2`; the first page leaves no trace there. */
export function usePage(): [page: number, setPage: (page: number) => void] {
	const [search, setSearch] = useSearchParams()
	const written = Number(search.get('page'))
	const page = Number.isInteger(written) && written > 0 ? written : 1
	const setPage = (next: number) => setSearch((old) => withParams(old, { page: next > 1 ? String(next) : null }))
	return [page, setPage]
}
