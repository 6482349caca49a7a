import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import type { ChatContact } from '#features/chats/contract.ts'
import { chatToast } from '#lib/web/toast.tsx'
import { isNewFailure } from '#lib/web/ui/feedback/use-error-toast.ts'
import { chatError } from '../chat-error.ts'
import { chatList, loadMoreChats } from '../chat-queries.ts'

const say = (error: unknown) => chatError(error, 'Failed to fetch contacts', 'Error fetching contacts')

/** The chats that match `search`, after the new ones that have no message yet. */
export function useChatList(search: string, placeholders: readonly ChatContact[]) {
	const list = useQuery({ ...chatList(search), placeholderData: keepPreviousData })
	const { data } = list
	const contacts = useMemo(() => {
		if (!data) return undefined
		const known = new Set(data.contacts.map(({ number }) => number))
		const fitting = placeholders.filter(({ number }) => !known.has(number) && number.includes(search))
		return [...fitting, ...data.contacts]
	}, [data, placeholders, search])

	const error = list.error ? say(list.error) : null
	useEffect(() => {
		if (error && isNewFailure(list.error)) chatToast.error(error)
	}, [error, list.error])

	const isRunning = useRef(false)
	return {
		contacts,
		error,
		isFetching: list.isFetching,
		refetch: () => void list.refetch(),
		loadMore() {
			if (isRunning.current || !data?.hasMore || list.isPlaceholderData) return
			isRunning.current = true
			loadMoreChats(search)
				.catch((reason: unknown) => chatToast.error(say(reason)))
				.finally(() => {
					isRunning.current = false
				})
		},
	}
}
