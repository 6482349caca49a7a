/** Our id in a chat message and in every status report about it; a campaign's messages have another form. */
export function chatCallbackData(id: number): string {
	return `chat:${id}`
}

/** The message's id in a report's callback data, or null where it is no chat message of ours. */
export function readChatCallbackData(data: unknown): number | null {
	const match = typeof data === 'string' ? /^chat:(\d{1,15})$/.exec(data) : null
	return match ? Number(match[1]) : null
}
