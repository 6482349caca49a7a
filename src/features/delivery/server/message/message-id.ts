/** The id of a message: its campaign, and its number within the campaign. */
export interface MessageId {
	campaignId: number
	seq: number
}

/** Returns the id that programs see. */
export function publicId({ campaignId, seq }: MessageId): string {
	return `${campaignId}-${seq}`
}

/**
 * Returns our id of a message, which is sent as biz_opaque_callback_data (marked by `RestoreGenerations`) and comes back in status updates.
 */
export function callbackData({ campaignId, seq }: MessageId): string {
	return `campaign:${campaignId}:${seq}`
}

/** Reads our id of a message; null for any other text. */
export function readCallbackData(data: string): MessageId | null {
	const match = /^campaign:(\d{1,15}):(\d{1,9})$/.exec(data)
	return match ? { campaignId: Number(match[1]), seq: Number(match[2]) } : null
}

/** Returns our id of a message that a chat sends. */
export function chatCallbackData(id: number): string {
	return `chat:${id}`
}

export function readChatCallbackData(data: string): number | null {
	const match = /^chat:(\d{1,15})$/.exec(data)
	return match ? Number(match[1]) : null
}

/**
 * Marks message ids with the restore generation. After a restore, a late status update about a lost campaign must not match a
 * new campaign with the same id.
 */
export interface RestoreGenerations {
	/** Returns the id as it is sent to Meta. */
	mark(id: string): string
	/**
	 * Returns all forms in which Meta may know this id, the current one first. An id that the restored backup lost has no
	 * earlier form.
	 */
	marksOf(id: string): string[]
	/** Returns the id without its mark; empty for a foreign id, and for an id of a message that a restore lost. */
	unmark(data: string): string
	/** Time of the latest restore; null if there was none. */
	restoredAt: Date | null
}
