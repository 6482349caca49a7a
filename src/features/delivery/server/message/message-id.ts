/** Which message it is: the campaign, and its number within that. */
export interface MessageId {
	campaignId: number
	seq: number
}

/** How programs name it. */
export function publicId({ campaignId, seq }: MessageId): string {
	return `${campaignId}-${seq}`
}

/** Our id of a message, which status reports return: sent as biz_opaque_callback_data, marked by `Epochs`. */
export function callbackData({ campaignId, seq }: MessageId): string {
	return `campaign:${campaignId}:${seq}`
}

/** Null when it is not one of ours. */
export function readCallbackData(data: string): MessageId | null {
	const match = /^campaign:(\d{1,15}):(\d{1,9})$/.exec(data)
	return match ? { campaignId: Number(match[1]), seq: Number(match[2]) } : null
}

/** The same for what a chat sends itself. */
export function chatCallbackData(id: number): string {
	return `chat:${id}`
}

export function readChatCallbackData(data: string): number | null {
	const match = /^chat:(\d{1,15})$/.exec(data)
	return match ? Number(match[1]) : null
}
