/** Our id in every message and in every status report about it. */
export function callbackData(campaignId: number, seq: number): string {
	return `campaign:${campaignId}:${seq}`
}

/** The ids in a status report's callback data, or null where it is none of ours. */
export function readCallbackData(data: string): { campaignId: number; seq: number } | null {
	const match = /^campaign:(\d{1,15}):(\d{1,9})$/.exec(data)
	return match ? { campaignId: Number(match[1]), seq: Number(match[2]) } : null
}
