import { setTimeout as sleep } from 'node:timers/promises'
import { pauseSender } from '#features/campaigns/server/sending/auto-pause.ts'
import { optOutNumbers, recordWhatsappIds } from '#features/contacts/server/service.ts'
import { classifyFailure, classifyReply, type Outcome } from '#features/messages/server/reply-classifier.ts'
import { postMessage } from '#features/whatsapp/server/cloud-api.ts'
import { chatWords, stopAdvice, stopReason } from '#features/whatsapp/server/codes/codes.ts'
import type { CloudApi, Sender } from '#features/whatsapp/server/service.ts'
import { isUserId } from '#lib/phone.ts'
import { transaction, type Db, type OwnerId } from '#lib/server/db.ts'
import type { Log } from '#lib/server/log.ts'
import type { Notify } from '#lib/server/notify.ts'
import { chatCallbackData } from '../message-id.ts'
import { settleChats, type ChatUpdate } from '../settlement/settle.ts'

export interface DeliverDeps {
	db: Db
	cloudApi: CloudApi
	log: Log
	notify: Notify
}

export interface Outgoing {
	/** Of its row, which is committed. */
	id: number
	chat: string
	/** The part of the request that belongs to the kind of message: `{ type, text: … }`. */
	part: object
	/** The wamid of the message that it quotes. */
	replyWamid: string | null
}

const MAX_ATTEMPTS = 3
const MAX_RETRY_DELAY_MS = 5000
const SETTLE_ATTEMPTS = 5
const SETTLE_RETRY_MS = 1000

/**
 * Sends one message whose row is committed, and settles it. Only what demonstrably was not processed is sent again; what may
 * have been stays pending until a webhook or the sweep settles it. Never rejects.
 */
export async function deliver(deps: DeliverDeps, owner: OwnerId, given: Outgoing & { sender: Sender }): Promise<void> {
	const outcome = await attempt(deps, given)
	if (outcome.kind === 'unknown') deps.log.warn({ owner, id: given.id }, 'a chat message is of unknown outcome')
	const update = updateOf(given.id, outcome)
	if (update) await settleWithRetries(deps, owner, update)
	await reactToOutcome(deps, owner, { chat: given.chat, outcome }).catch((error: unknown) =>
		deps.log.error({ error, owner }, 'an answer to a chat message could not be acted on'),
	)
}

async function settleWithRetries({ db, log }: DeliverDeps, owner: OwnerId, update: ChatUpdate): Promise<void> {
	for (let attempts = 1; attempts <= SETTLE_ATTEMPTS; attempts++) {
		try {
			await transaction(db, (sql) => settleChats(sql, owner, [update]))
			return
		} catch (error) {
			log.error({ error, owner, id: update.id }, 'a chat message could not be settled')
			await sleep(SETTLE_RETRY_MS * attempts)
		}
	}
}

/** Fails a message that was never handed to the network. */
export async function failUnsent(
	{ db }: Pick<DeliverDeps, 'db'>,
	owner: OwnerId,
	{ id, code, error }: { id: number; code: number; error: string },
): Promise<void> {
	const update: ChatUpdate = { id, status: 'failed', at: new Date(), wamid: null, errorCode: code, error }
	await transaction(db, (sql) => settleChats(sql, owner, [update]))
}

async function attempt(
	{ cloudApi }: DeliverDeps,
	{ sender, ...message }: Outgoing & { sender: Sender },
): Promise<Outcome> {
	const body = bodyOf(message)
	for (let attempts = 1; ; attempts++) {
		let isHanded = false
		const onStart = () => {
			isHanded = true
		}
		const outcome = await postMessage(cloudApi, sender.phoneNumberId, {
			token: sender.accessToken,
			body,
			onStart,
		}).then(
			(reply) => classifyReply(reply, attempts),
			(error: unknown) => classifyFailure(error, { attempts, isHanded }),
		)
		if (outcome.kind !== 'retry' || attempts >= MAX_ATTEMPTS) return outcome
		await sleep(Math.min(outcome.delayMs, MAX_RETRY_DELAY_MS))
	}
}

function bodyOf({ id, chat, part, replyWamid }: Outgoing): string {
	return JSON.stringify({
		messaging_product: 'whatsapp',
		recipient_type: 'individual',
		// Without the plus, the network would prefix the country code of the business.
		...(isUserId(chat) ? { recipient: chat } : { to: `+${chat}` }),
		...(replyWamid && { context: { message_id: replyWamid } }),
		...part,
		biz_opaque_callback_data: chatCallbackData(id),
	})
}

function updateOf(id: number, outcome: Outcome): ChatUpdate | null {
	const update = { id, at: new Date(), wamid: null, errorCode: null, error: null }
	switch (outcome.kind) {
		case 'accepted':
			return { ...update, status: 'sent', wamid: outcome.wamid }
		case 'sender':
			return { ...update, status: 'failed', errorCode: outcome.code, error: stopAdvice(outcome) }
		case 'failed':
		case 'campaign':
		case 'retry':
			return { ...update, status: 'failed', errorCode: outcome.code, error: chatWords(outcome.code, outcome.error) }
		case 'unknown':
		case 'returned':
		case 'opted-out':
			return null
	}
}

/** Applies the effects of an outcome beyond its message: an opt-out, another id of the recipient, or a stop of the sender. */
async function reactToOutcome(
	deps: DeliverDeps,
	owner: OwnerId,
	{ chat, outcome }: { chat: string; outcome: Outcome },
) {
	if (outcome.kind === 'accepted' && outcome.waId && outcome.waId !== chat && !isUserId(chat)) {
		const ids = [{ number: chat, waId: outcome.waId }]
		await transaction(deps.db, (sql) => recordWhatsappIds(sql, owner, ids))
	}
	if (outcome.kind === 'failed' && outcome.optOut)
		await optOutNumbers(deps.db, owner, { numbers: [chat], because: 'network' })
	if (outcome.kind === 'sender') await pauseSender(deps, owner, stopReason(outcome))
}
