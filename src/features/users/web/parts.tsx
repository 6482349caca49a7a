import type { Reply } from '#lib/web/api.ts'
import { queryClient } from '#lib/web/query.ts'
import { users } from '../contract.ts'

export { UserTable } from './user-table.tsx'

/** Puts a balance that the server has just told into the rows on screen, without fetching them anew. */
export function replaceBalance(userId: string, walletBalance: number): void {
	queryClient.setQueriesData<Reply<typeof users.list>>(
		{ queryKey: [users.list.path] },
		(list) =>
			list && { ...list, users: list.users.map((user) => (user._id === userId ? { ...user, walletBalance } : user)) },
	)
}
