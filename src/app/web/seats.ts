import { chatPaths } from '#features/chats/paths.ts'
import { developerPaths } from '#features/developer/paths.ts'
import type { Seat } from '#lib/endpoint.ts'

/** Seats from which a user's screen is open, for screens that managers do not open, or not only they. */
const LEAST_SEATS: Record<string, Seat> = { [chatPaths.live]: 'agent', [developerPaths.developers]: 'owner' }

/** Returns the seat from which a screen of users is open. */
export function leastSeatOf(path: string): Seat {
	return LEAST_SEATS[path] ?? 'manager'
}
