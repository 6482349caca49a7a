import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { ChatContact } from '#features/chats/contract.ts'
import { isNarrowed, useListFilter } from '#features/inbox/web/use-list-filter.ts'
import { chatToast } from '#lib/web/toast.tsx'
import { useAction } from '#lib/web/use-action.ts'
import { fetchError, useFetchError } from '../chat-error.ts'
import { chatList, loadMoreChats } from '../chat-queries.ts'

/** Returns the chats of the URL's filter that match `search`; in the view of all chats, after new ones without a message. */
export function useChatList(search: string, placeholders: readonly ChatContact[]) {
	const [shown] = useListFilter()
	const filter = { ...shown, search }
	const isPart = isNarrowed(shown)
	const list = useQuery({ ...chatList(filter), placeholderData: keepPreviousData })
	const { data } = list
	const contacts = useMemo(() => {
		if (!data) return undefined
		if (isPart) return data.contacts
		const known = new Set(data.contacts.map(({ number }) => number))
		const fitting = placeholders.filter(({ number }) => !known.has(number) && number.includes(search))
		return [...fitting, ...data.contacts]
	}, [data, placeholders, search, isPart])

	const error = useFetchError(list.error, 'contacts')
	const { run } = useAction()
	return {
		contacts,
		counts: data?.counts ?? null,
		/** True when the list shows a part of the chats, besides the search. */
		isNarrowed: isPart,
		error,
		isFetching: list.isFetching,
		refetch: () => void list.refetch(),
		loadMore() {
			if (!data?.hasMore || list.isPlaceholderData) return
			run(
				() => loadMoreChats(filter),
				(reason) => chatToast.error(fetchError(reason, 'contacts')),
			)
		},
	}
}
