import { users, type UserRow } from '#features/users/contract.ts'
import type { ResponseOf } from '#lib/web/api.ts'
import { queryClient } from '#lib/web/query.ts'

/** Puts what the server has just answered about a user into the rows on screen, without fetching them anew. */
export function updateRow(userId: string, changes: Partial<UserRow>): void {
	queryClient.setQueriesData<ResponseOf<typeof users.list>>(
		{ queryKey: [users.list.path] },
		(list) =>
			list && { ...list, users: list.users.map((user) => (user._id === userId ? { ...user, ...changes } : user)) },
	)
}

/** Takes a deleted user out of the rows on screen at once; what moves up comes with the next reading. */
export function removeRow(userId: string): void {
	queryClient.setQueriesData<ResponseOf<typeof users.list>>(
		{ queryKey: [users.list.path] },
		(list) => list && { ...list, users: list.users.filter((user) => user._id !== userId) },
	)
}
