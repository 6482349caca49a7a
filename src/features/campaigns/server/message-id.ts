/** Which message it is; `attempt` counts how often WhatsApp has held it back before. */
export interface MessageId {
	campaignId: number
	seq: number
	attempt: number
}

/** Our id of a message, sent as biz_opaque_callback_data and returned in every status report about it. */
export function callbackData({ campaignId, seq, attempt }: MessageId): string {
	return attempt === 0 ? `campaign:${campaignId}:${seq}` : `campaign:${campaignId}:${seq}:${attempt}`
}

/** The ids in a status report's callback data, or null when it is not one of ours. */
export function readCallbackData(data: string): MessageId | null {
	const match = /^campaign:(\d{1,15}):(\d{1,9})(?::(\d{1,2}))?$/.exec(data)
	return match ? { campaignId: Number(match[1]), seq: Number(match[2]), attempt: Number(match[3] ?? 0) } : null
}
