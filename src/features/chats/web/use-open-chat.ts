import { useWindowEvent } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { useListFilter } from '#features/inbox/web/use-list-filter.ts'
import { queryClient } from '#lib/web/query.ts'
import { useSearchParams } from '#lib/web/router/hooks.ts'
import { chatToast } from '#lib/web/toast.tsx'
import { withParams } from '#lib/web/ui/state/with-params.ts'
import type { ChatContact } from '../contract.ts'
import { fetchError } from './chat-error.ts'
import { numberLabel } from './chat-name.ts'
import { chatList, conversation } from './chat-queries.ts'

const CHAT = 'chat'

/** Returns the open chat, which the URL names as `?chat=919876543210`, with functions to open and close chats. */
export function useOpenChat() {
	const [search, setSearch] = useSearchParams()
	const selected = search.get(CHAT) || null
	const [started, setStarted] = useState<string[]>([])
	const [filter] = useListFilter()
	const list = useQuery({
		...chatList({ ...filter, search: '' }),
		// Keeps the chat on screen while another view loads.
		placeholderData: keepPreviousData,
		select: ({ contacts, counts }) => ({ listed: find(contacts, selected), isShared: counts !== null }),
	})
	const { listed = null, isShared = false } = list.data ?? {}
	const isUnlisted = selected !== null && list.isSuccess && !listed
	const { data, isError } = useQuery({ ...conversation(selected ?? ''), enabled: isUnlisted })

	// If the lookup fails, messages can still be sent to the number.
	const opened = isUnlisted && (data || isError) ? contactOf(selected) : null
	const contact = listed ?? opened
	const isNew = selected !== null && opened?.timestamp === null && !started.includes(selected)
	const shown = isNew ? [selected, ...started] : started

	const open = useCallback(
		(number: string | null, replace: boolean) =>
			setSearch((old) => withParams(old, { [CHAT]: number }), { replace, preventScrollReset: true }),
		[setSearch],
	)
	const close = useCallback(() => open(null, false), [open])
	useEscape(selected !== null, close)

	return {
		selected,
		contact,
		/** True when several people work in the account. */
		isShared,
		placeholders: shown.map(contactOf),
		addressOf: (number: string) => `?${withParams(search, { [CHAT]: number }).toString()}`,
		close,
		/** Opens the chat with this number, or starts a new one. */
		async start(number: string) {
			const replace = selected !== null
			try {
				if (started.includes(number) || (await exists(number))) {
					chatToast.success('Opening existing chat')
				} else {
					setStarted((old) => [number, ...old])
					chatToast.success('New chat started. Send a message to begin conversation.')
				}
				open(number, replace)
			} catch (error) {
				chatToast.error(fetchError(error, 'contacts'))
			}
		},
	}
}

function find(contacts: readonly ChatContact[], number: string | null): ChatContact | null {
	return contacts.find((chat) => chat.number === number) ?? null
}

async function exists(number: string): Promise<boolean> {
	const { contact } = await queryClient.fetchQuery({ ...conversation(number), staleTime: 0 })
	return contact.number === number && contact.timestamp !== null
}

/**
 * Returns the contact of an unlisted chat from its loaded conversation; before that, a contact with only the number.
 */
function contactOf(number: string): ChatContact {
	const contact = queryClient.getQueryData(conversation(number).queryKey)?.contact
	if (contact?.number === number) return contact
	return {
		number,
		name: numberLabel(number),
		lastMessage: '',
		lastStatus: null,
		isLastFromPhone: false,
		timestamp: null,
		unread: 0,
		type: 'unknown',
		windowExpiresAt: null,
		optedOut: false,
		assignee: null,
		isClosed: false,
	}
}

/** Closes the chat on Escape, unless a dialog, menu or list is open or the event is already handled. */
function useEscape(isOpen: boolean, close: () => void) {
	useWindowEvent('keydown', (event) => {
		const isTaken = event.defaultPrevented || document.querySelector('[role="dialog"], [role="menu"], [role="listbox"]')
		if (isOpen && event.key === 'Escape' && !isTaken) close()
	})
}
