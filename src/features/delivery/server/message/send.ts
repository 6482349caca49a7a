import { recordWhatsappIds } from '#features/contacts/server/opt-outs/opt-outs.ts'
import { optOutNumbers } from '#features/contacts/server/service.ts'
import { postMessage, type SendEndpoint } from '#features/whatsapp/server/cloud-api.ts'
import type { CloudApi } from '#features/whatsapp/server/graph-client.ts'
import type { Sender } from '#features/whatsapp/server/service.ts'
import { dialledForm, isUserId } from '#lib/phone/phone.ts'
import { transaction, type Db, type AccountId } from '#lib/server/db.ts'
import { classifyFailure, classifyResponse, type Outcome } from './response-classifier.ts'

/** Returns the request body: the message part, the recipient and our id. */
export function requestBody({ to, part, id }: { to: string; part: object; id: string }): string {
	return JSON.stringify({
		messaging_product: 'whatsapp',
		recipient_type: 'individual',
		// Without the plus, Meta would prefix the business's country code.
		...(isUserId(to) ? { recipient: to } : { to: `+${to}` }),
		...part,
		biz_opaque_callback_data: id,
	})
}

interface Request {
	body: string
	/** `messages` when absent, which accepts messages of every kind. */
	endpoint?: SendEndpoint
	/** Number of attempts, this one included. */
	attempts: number
	/** Called just before the first byte is sent. If it throws, the message is not sent. */
	onStart?: () => void
	onAnswer?: () => void
}

/** Sends one message once. Never rejects. */
export async function send(
	api: CloudApi,
	sender: Sender,
	{ body, attempts, endpoint = 'messages', onStart, onAnswer }: Request,
): Promise<Outcome> {
	let handing: 'not yet' | 'refused' | 'done' = 'not yet'
	const start = () => {
		handing = 'refused'
		onStart?.()
		handing = 'done'
	}
	const request = { token: sender.accessToken, body, endpoint, onStart: start }
	try {
		const reply = await postMessage(api, sender.phoneNumberId, request)
		onAnswer?.()
		return classifyResponse(reply, attempts)
	} catch (error) {
		const isHanded = (handing as string) === 'done'
		return (handing as string) === 'refused' ? { kind: 'returned' } : classifyFailure(error, { attempts, isHanded })
	}
}

/** Records the opt-outs in Meta's answers, and the WhatsApp ids of numbers that Meta knows under another id. */
export async function noteRecipients(
	db: Db,
	accountId: AccountId,
	answers: readonly { number: string; outcome: Outcome }[],
): Promise<void> {
	const optedOut: string[] = []
	const ids: { number: string; waId: string }[] = []
	for (const { number, outcome } of answers) {
		if (outcome.kind === 'failed' && outcome.optOut) optedOut.push(number)
		const waId = outcome.kind === 'accepted' && outcome.waId !== null ? dialledForm(outcome.waId) : number
		if (waId !== number && !isUserId(number)) ids.push({ number, waId })
	}
	if (optedOut.length + ids.length === 0) return
	await transaction(
		db,
		async (sql) => {
			await recordWhatsappIds(sql, accountId, ids)
			await optOutNumbers(sql, accountId, { numbers: optedOut, because: 'network' })
		},
		{ isByKey: true },
	)
}
