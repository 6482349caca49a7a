import { randomUUID } from 'node:crypto'
import * as claims from '#features/delivery/server/claims/claim-queries.ts'
import * as finishQueries from '#features/delivery/server/claims/finish-queries.ts'
import * as sendingQueries from '#features/delivery/server/claims/sending-state-queries.ts'
import { callbackData } from '#features/delivery/server/message/message-id.ts'
import { findReplied } from '#features/delivery/server/replies/reply-queries.ts'
import { settle } from '#features/delivery/server/settlement/settle.ts'
import { settleStatusUpdates } from '#features/delivery/server/settlement/status-updates.ts'
import { acquireLease } from '#features/whatsapp/server/sending-state-queries.ts'
import { transaction, type Db, type Sql } from '#lib/server/db.ts'
import type { Scene } from './scene.ts'

/** Messages in one claim at Meta's usual pace. */
const CLAIMED = 80

const notify = async () => {}

function wamidOf({ campaignId, seq }: claims.ClaimedMessage): string {
	return `wamid.HBgMOTE5ODc2NTQzMjEwFQIAERgSMDEyMzQ1Njc4OUFCQ0RFRkY${campaignId}.${seq}`
}

function now() {
	return { at: new Date(), errorCode: null, error: null }
}

/** Returns the steps in the life of a batch of messages. A step follows the earlier steps of the same turn. */
export async function batchSteps(
	db: Db,
	{ accountId, waiting }: Scene,
): Promise<[name: string, run: (turn: number) => Promise<unknown>][]> {
	const lease = await acquireLease(db, accountId, { worker: randomUUID(), seen: { worker: null, epoch: 0 } })
	if (!lease) throw new Error('the lease was taken')
	const byKey = <T>(work: (sql: Sql) => Promise<T>) => transaction(db, work, { isByKey: true })
	const batches: claims.ClaimedMessage[][] = []
	const statusUpdate = (turn: number, status: 'delivered' | 'read') => {
		const statusUpdates = (batches[turn] ?? []).map((message) => ({
			...now(),
			status,
			wamid: wamidOf(message),
			recipient: message.number,
			callbackData: status === 'delivered' ? callbackData(message) : '',
		}))
		return byKey((sql) => settleStatusUpdates(sql, accountId, { statusUpdates, notify }))
	}
	return [
		['what a sender has to do', () => sendingQueries.findSendingState(db, accountId)],
		[
			`claim of ${CLAIMED}`,
			async (turn) => {
				const request = { lease, batch: turn + 1, campaignId: waiting, limit: CLAIMED }
				batches[turn] = await byKey((sql) => claims.claimFresh(sql, accountId, request))
			},
		],
		[
			`settling of ${CLAIMED} answers`,
			(turn) => {
				const finished = batches[turn] ?? []
				const sent = { ...now(), status: 'sent' as const }
				const updates = finished.map((message) => ({ ...message, ...sent, wamid: wamidOf(message) }))
				return byKey(async (sql) => {
					await finishQueries.finishClaimed(sql, accountId, { epoch: lease.epoch, finished })
					await settle(sql, accountId, { updates, notify })
				})
			},
		],
		[`${CLAIMED} status updates with our id`, (turn) => statusUpdate(turn, 'delivered')],
		[`${CLAIMED} status updates without it`, (turn) => statusUpdate(turn, 'read')],
		[
			'a quoted message',
			(turn) => {
				const quoted = (batches[turn] ?? []).slice(0, 1).map((message) => ({ ...message, wamid: wamidOf(message) }))
				return byKey((sql) => findReplied(sql, accountId, quoted))
			},
		],
	]
}
