import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { headerFiles } from '#features/header-files/contract.ts'
import type { FileMatch } from '#features/header-files/match-contract.ts'
import { call } from '#lib/web/api.ts'

interface Sought {
	/** The set of files; undefined while all people get the same file. */
	set: string | undefined
	match: FileMatch | null | undefined
	/** The person's number, with or without a plus. */
	number: string
}

/**
 * Returns the own file of a person whom the match names, with an object URL; null for any other person. The URL of a document
 * is empty, since a message shows its name alone.
 */
export function useOwnFile({ set = '', match, number }: Sought): { url: string; name: string } | null {
	const digits = number.replace('+', '')
	const file = match?.rows.find((row) => row.number === digits)?.file
	const isShown = file !== undefined && file !== null && !/\.pdf$/i.test(file.name)
	const { data: url = '' } = useQuery({
		queryKey: [headerFiles.show.path, set, file?._id],
		queryFn: async ({ signal }) =>
			URL.createObjectURL(await call(headerFiles.show, { params: { id: set }, query: { file: file?._id }, signal })),
		enabled: isShown,
		retry: false,
		staleTime: Infinity,
		gcTime: Infinity,
	})
	const queries = useQueryClient()
	useEffect(() => {
		if (url === '') return undefined
		return () => {
			URL.revokeObjectURL(url)
			queries.removeQueries({ predicate: ({ state }) => state.data === url })
		}
	}, [url, queries])
	if (!file || (isShown && url === '')) return null
	return { url, name: file.name }
}
