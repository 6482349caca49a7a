import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { ChatContact } from '#features/chats/contract.ts'
import { chatToast } from '#lib/web/toast.tsx'
import { useAction } from '#lib/web/use-action.ts'
import { fetchError, useFetchError } from '../chat-error.ts'
import { chatList, loadMoreChats } from '../chat-queries.ts'

/** Returns the chats that match `search`, after new ones without a message. */
export function useChatList(search: string, placeholders: readonly ChatContact[]) {
	const list = useQuery({ ...chatList(search), placeholderData: keepPreviousData })
	const { data } = list
	const contacts = useMemo(() => {
		if (!data) return undefined
		const known = new Set(data.contacts.map(({ number }) => number))
		const fitting = placeholders.filter(({ number }) => !known.has(number) && number.includes(search))
		return [...fitting, ...data.contacts]
	}, [data, placeholders, search])

	const error = useFetchError(list.error, 'contacts')
	const { run } = useAction()
	return {
		contacts,
		error,
		isFetching: list.isFetching,
		refetch: () => void list.refetch(),
		loadMore() {
			if (!data?.hasMore || list.isPlaceholderData) return
			run(
				() => loadMoreChats(search),
				(reason) => chatToast.error(fetchError(reason, 'contacts')),
			)
		},
	}
}
