export const chatPaths = { live: '/user/live/chats' } as const

/** Returns the path of the chat with this number. */
export function chatPath(number: string): string {
	return `${chatPaths.live}?chat=${encodeURIComponent(number)}`
}
