import { useQuery } from '@tanstack/react-query'
import { chats } from '#features/chats/contract.ts'
import { query } from '#lib/web/query.ts'

/** How many chats have messages that nobody has read; none while that is not known. */
export function useUnreadChats(isEnabled: boolean): number {
	const { data } = useQuery({ ...query(chats.contacts, { query: { limit: 1 } }), enabled: isEnabled })
	return data?.unreadChats ?? 0
}
