import * as z from 'zod/mini'
import { StatementKind } from '#features/statements/contract.ts'
import { useSearchParams } from '#lib/web/router/hooks.ts'
import { withParams } from '#lib/web/ui/state/with-params.ts'

const NAMES = ['kind', 'from', 'to'] as const

/**
 * Returns the statement's filter from the URL, with functions that change it. An invalid value in the URL is ignored.
 */
export function useStatementFilter() {
	const [search, setSearch] = useSearchParams()
	const day = (name: string) => z.iso.date().safeParse(search.get(name)).data
	const filter = { kind: StatementKind.safeParse(search.get('kind')).data, from: day('from'), to: day('to') }
	const change = (changes: Partial<Record<(typeof NAMES)[number], string>>) =>
		setSearch(
			(old) => withParams(old, { ...changes, page: null }),
			// Commits synchronously, so that a change of the second day right afterwards keeps the first.
			{ flushSync: true },
		)
	return {
		filter,
		isFiltered: Object.values(filter).some(Boolean),
		change,
		clear: () => change({ kind: '', from: '', to: '' }),
	}
}
