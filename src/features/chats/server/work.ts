import { setTimeout as sleep } from 'node:timers/promises'
import { isAccountInUse } from '#features/auth/server/service.ts'
import { countReplies } from '#features/campaigns/server/service.ts'
import { getSender, NO_CREDENTIALS } from '#features/whatsapp/server/service.ts'
import type { AccountStorage } from '#lib/server/account-storage.ts'
import { scanAllOwners } from '#lib/server/all-owners.ts'
import { subscribe } from '#lib/server/channels.ts'
import type { OwnerId } from '#lib/server/db.ts'
import { createSignal } from '#lib/server/signal.ts'
import { chatsChannel } from './chats-channel.ts'
import { MediaFetcher } from './media/media-fetcher.ts'
import { deliver, failUnsent } from './sending/deliver.ts'
import { claimUnsent, listUnsentAllOwners, type OutgoingMessage } from './sending/outbound-queries.ts'
import type { SendContext } from './sending/send.ts'

export interface ChatWorkDeps extends SendContext {
	storage: AccountStorage
}

/** Finds work without a notification: files due for a retry, and what a crashed worker left. */
const POLL_INTERVAL_MS = 5000
const MAX_SENT_AT_ONCE = 20
const STOP_WAIT_MS = 5000

/**
 * Does what chats leave to workers: fetches the files that customers sent, sends confirmations, and counts who answered a
 * campaign. Any number of workers share it, as each thing is claimed in the database.
 */
export async function startChatWork(deps: ChatWorkDeps): Promise<{ stop(): Promise<void> }> {
	const { db, log, listener } = deps
	const signal = createSignal()
	const fetcher = new MediaFetcher(deps, () => signal.notify())
	const state = { isStopping: false }
	const sending = new Sending(() => signal.notify())
	const unlisten = await subscribe(listener, chatsChannel, {
		onPayload: () => signal.notify(),
		onGap: () => signal.notify(),
	})
	const parts: [string, () => Promise<unknown>][] = [
		['files of chats could not be fetched', () => fetcher.begin()],
		['messages of chats could not be sent', () => sendWaiting(deps, sending)],
		['answers to campaigns could not be counted', () => countReplies(db)],
	]
	const run = async () => {
		while (!state.isStopping) {
			for (const [failure, work] of parts) {
				await work().catch((error: unknown) => log.error({ error }, failure))
			}
			await signal.wait(POLL_INTERVAL_MS)
		}
	}
	const running = run()
	return {
		async stop() {
			state.isStopping = true
			unlisten()
			signal.notify()
			// A message that the network is silent on is settled by its report, or by the sweep.
			await Promise.race([
				Promise.all([running, fetcher.stop(), sending.ended()]),
				sleep(STOP_WAIT_MS, undefined, { ref: false }),
			])
		},
	}
}

/** The accounts whose messages are being sent, so that one with a slow network keeps no other waiting. */
class Sending {
	readonly #running = new Map<OwnerId, Promise<void>>()
	readonly #onEnd: () => void

	constructor(onEnd: () => void) {
		this.#onEnd = onEnd
	}

	/** Does nothing for an account that is sending already: `onEnd` leads to another attempt when that has ended. */
	begin(owner: OwnerId, send: () => Promise<void>): void {
		if (this.#running.has(owner)) return
		const running = send().finally(() => {
			this.#running.delete(owner)
			this.#onEnd()
		})
		this.#running.set(owner, running)
	}

	async ended(): Promise<void> {
		await Promise.all(this.#running.values())
	}
}

/** Begins to send the messages that wait for a worker, such as confirmations of opting out. */
async function sendWaiting(deps: ChatWorkDeps, sending: Sending): Promise<void> {
	const { db, log } = deps
	for (const { owner } of await scanAllOwners(db, (only) => listUnsentAllOwners(db, only)))
		sending.begin(owner, () =>
			sendFor(deps, owner).catch((error: unknown) =>
				log.error({ error, owner }, 'messages of chats could not be sent'),
			),
		)
}

async function sendFor(deps: ChatWorkDeps, owner: OwnerId): Promise<void> {
	const messages = await claimUnsent(deps.db, owner, MAX_SENT_AT_ONCE)
	await Promise.all(messages.map((message) => sendClaimed(deps, owner, message)))
}

async function sendClaimed(deps: ChatWorkDeps, owner: OwnerId, { id, chat, body, replyWamid }: OutgoingMessage) {
	const sender = (await isAccountInUse(deps.db, owner)) ? await getSender(deps.db, deps.vault, owner) : null
	if (!sender || sender.stoppedReason) {
		const error = sender?.stoppedReason ?? NO_CREDENTIALS
		return failUnsent(deps, owner, { id, code: 0, error })
	}
	const part = { type: 'text', text: { body: body.text ?? '' } }
	await deliver(deps, owner, { id, chat, part, replyWamid, sender })
}
