import { users, type UserRow } from '#features/users/contract.ts'
import type { ResponseOf } from '#lib/web/api.ts'
import { queryClient } from '#lib/web/query.ts'

/** Applies the server's answer about a user to the rows on screen without fetching them again. */
export function updateRow(userId: string, changes: Partial<UserRow>): void {
	queryClient.setQueriesData<ResponseOf<typeof users.list>>(
		{ queryKey: [users.list.path] },
		(list) =>
			list && { ...list, users: list.users.map((user) => (user._id === userId ? { ...user, ...changes } : user)) },
	)
}

/** Removes a deleted user from the rows on screen. The next fetch fills the page. */
export function removeRow(userId: string): void {
	queryClient.setQueriesData<ResponseOf<typeof users.list>>(
		{ queryKey: [users.list.path] },
		(list) => list && { ...list, users: list.users.filter((user) => user._id !== userId) },
	)
}
