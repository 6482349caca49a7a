import { setTimeout as sleep } from 'node:timers/promises'
import { singleMessageWords } from '#features/delivery/server/message/failure-words.ts'
import { chatCallbackData, type RestoreGenerations } from '#features/delivery/server/message/message-id.ts'
import { requestBody, send, noteRecipients } from '#features/delivery/server/message/send.ts'
import { failure } from '#features/delivery/server/message/status-update.ts'
import { takeBackCount } from '#features/replies/server/automatic/automatic.ts'
import { stopReason } from '#features/whatsapp/server/codes/codes.ts'
import type { CloudApi } from '#features/whatsapp/server/graph-client.ts'
import type { PauseSender, Sender } from '#features/whatsapp/server/service.ts'
import { transaction, type Db, type AccountId } from '#lib/server/db.ts'
import type { DatabaseWatch } from '#lib/server/db/hosts/database-watch.ts'
import type { Log } from '#lib/server/log.ts'
import { settleChatsAlone, type ChatUpdate } from '../settlement/settle.ts'

type Outcome = Awaited<ReturnType<typeof send>>

export interface DeliverDeps {
	db: Db
	restoreGenerations: RestoreGenerations
	cloudApi: CloudApi
	log: Log
	pauseSender: PauseSender
	watch: Pick<DatabaseWatch, 'now'>
}

export interface Outgoing {
	/** Id of the message's committed row. */
	id: number
	chat: string
	/** The part of the request that depends on the kind of message: `{ type, text: … }`. */
	part: object
	/** The wamid of the quoted message; null without one. */
	replyWamid: string | null
}

const MAX_ATTEMPTS = 3
const MAX_RETRY_DELAY_MS = 5000
const SETTLE_ATTEMPTS = 5
const SETTLE_RETRY_MS = 1000

/**
 * Sends one message whose row is committed, and settles it. Only a request that was certainly not processed is
 * repeated; a message of unknown outcome stays pending until a webhook or the sweep settles it. Never rejects.
 */
export async function deliver(
	deps: DeliverDeps,
	accountId: AccountId,
	given: Outgoing & { sender: Sender },
): Promise<void> {
	const outcome = await attempt(deps, given)
	if (outcome.kind === 'unknown') deps.log.warn({ accountId, id: given.id }, 'a chat message is of unknown outcome')
	const update = updateOf(outcome, { id: given.id, at: deps.watch.now() })
	if (update) await settleWithRetries(deps, accountId, update)
	await reactToOutcome(deps, accountId, { number: given.chat, outcome }).catch((error: unknown) =>
		deps.log.error({ error, accountId }, 'an answer to a chat message could not be acted on'),
	)
}

async function settleWithRetries({ db, log }: DeliverDeps, accountId: AccountId, update: ChatUpdate): Promise<void> {
	for (let attempts = 1; attempts <= SETTLE_ATTEMPTS; attempts++) {
		try {
			await transaction(db, (sql) => settleChatsAlone(sql, accountId, [update]))
			return
		} catch (error) {
			log.error({ error, accountId, id: update.id }, 'a chat message could not be settled')
			await sleep(SETTLE_RETRY_MS * attempts)
		}
	}
}

/** Fails a message that was never sent to the network. An automatic reply, given by its id and time, does not count in its month. */
export async function failUnsent(
	{ db, watch }: Pick<DeliverDeps, 'db' | 'watch'>,
	accountId: AccountId,
	{
		id,
		code,
		error,
		automatic,
	}: { id: number; code: number; error: string; automatic?: { id: number; at: Date } | null },
): Promise<void> {
	const update = { id, ...failure(code, error, watch.now()) }
	await transaction(db, async (sql) => {
		await settleChatsAlone(sql, accountId, [update])
		if (automatic) await takeBackCount(sql, accountId, automatic)
	})
}

async function attempt(
	{ cloudApi, restoreGenerations }: DeliverDeps,
	{ sender, id, chat, part, replyWamid }: Outgoing & { sender: Sender },
): Promise<Outcome> {
	const quoting = replyWamid ? { context: { message_id: replyWamid }, ...part } : part
	const body = requestBody({ to: chat, part: quoting, id: restoreGenerations.mark(chatCallbackData(id)) })
	for (let attempts = 1; ; attempts++) {
		const outcome = await send(cloudApi, sender, { body, attempts })
		if (outcome.kind !== 'retry' || attempts >= MAX_ATTEMPTS) return outcome
		await sleep(Math.min(outcome.delayMs, MAX_RETRY_DELAY_MS))
	}
}

function updateOf(outcome: Outcome, { id, at }: { id: number; at: Date }): ChatUpdate | null {
	if (outcome.kind === 'accepted') return { id, status: 'sent', at, wamid: outcome.wamid, errorCode: null, error: null }
	if (!('code' in outcome)) return null
	return { id, ...failure(outcome.code, singleMessageWords(outcome.code, outcome.error), at) }
}

/** Applies the effects of an outcome beyond its message: an opt-out, another id of the recipient, or a pause of the sender. */
async function reactToOutcome(deps: DeliverDeps, accountId: AccountId, answer: { number: string; outcome: Outcome }) {
	await noteRecipients(deps.db, accountId, [answer])
	if (answer.outcome.kind === 'sender') await deps.pauseSender(deps.db, accountId, stopReason(answer.outcome))
}
