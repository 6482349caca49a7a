import { postMessage } from '#features/whatsapp/server/cloud-api.ts'
import type { CloudApi } from '#features/whatsapp/server/graph-client.ts'
import type { Sender } from '#features/whatsapp/server/sender.ts'
import { isUserId } from '#lib/phone.ts'
import { classifyFailure, classifyResponse, type Outcome } from './response-classifier.ts'

/** The request's body: the part that belongs to the kind of message, whom it goes to, and our id. */
export function requestBody({ to, part, id }: { to: string; part: object; id: string }): string {
	return JSON.stringify({
		messaging_product: 'whatsapp',
		recipient_type: 'individual',
		// Without the plus, the network would prefix the country code of the business.
		...(isUserId(to) ? { recipient: to } : { to: `+${to}` }),
		...part,
		biz_opaque_callback_data: id,
	})
}

interface Request {
	body: string
	/** Counts this one. */
	attempts: number
	/** Called just before the first byte leaves; if it throws, the message is not sent. */
	onStart?: () => void
	onAnswer?: () => void
}

/** Sends one message once. Never rejects. */
export async function send(
	api: CloudApi,
	sender: Sender,
	{ body, attempts, onStart, onAnswer }: Request,
): Promise<Outcome> {
	let handing: 'not yet' | 'refused' | 'done' = 'not yet'
	const start = () => {
		handing = 'refused'
		onStart?.()
		handing = 'done'
	}
	const request = { token: sender.accessToken, body, onStart: start }
	try {
		const reply = await postMessage(api, sender.phoneNumberId, request)
		onAnswer?.()
		return classifyResponse(reply, attempts)
	} catch (error) {
		const isHanded = (handing as string) === 'done'
		return (handing as string) === 'refused' ? { kind: 'returned' } : classifyFailure(error, { attempts, isHanded })
	}
}
