import { setTimeout as sleep } from 'node:timers/promises'
import type { Lease } from '#features/whatsapp/server/sending-state-queries.ts'
import { transaction, type Db, type AccountId, type Sql } from '#lib/server/db.ts'
import type { Log } from '#lib/server/log.ts'
import { claimFresh, claimRetries, findClaim, type ClaimedMessage, type SendingCampaign } from './claim-queries.ts'
import { openSendLog, type SendLog } from './send-log.ts'

/** The claims of one lease and their send logs. Claims are forgotten when their messages are settled. */
export interface Claims {
	/** Claims up to `limit` messages of a campaign, due retries first. Updates the known number of remaining messages. */
	claim(campaign: SendingCampaign, limit: number): Promise<ClaimedMessage[]>
	/**
	 * Returns true when the claim of a message is recent enough to send it. An older claim is given back, so that opt-outs
	 * are read again.
	 */
	isRecent(message: ClaimedMessage): boolean
	/** Records that a message is about to be sent; if it throws, the message must not be sent. */
	note(message: ClaimedMessage): void
	/** Notes that a message has left its claim. */
	settled(message: ClaimedMessage): void
}

export interface ClaimsOptions {
	db: Db
	accountId: AccountId
	lease: Lease
	log: Log
	/** Returns true while the lease is current, so that a claim may be repeated. */
	hasCurrentLease: () => boolean
}

const MAX_BACKOFF_MS = 2000
/**
 * Age in milliseconds after which a claim is given back, since opt-outs, erasures, pauses and limits were read when it
 * was made.
 */
export const MAX_CLAIM_AGE_MS = 5000

export function createClaims(options: ClaimsOptions): Claims {
	const { accountId, lease, log } = options
	const open = new Map<number, { sendLog: SendLog; left: number; claimedAtMs: number }>()
	let batch = 0
	let isWarned = false

	const onMissing = (error: unknown) => {
		if (!isWarned)
			log.warn({ error, accountId }, 'the send log cannot be kept: after a crash, claimed messages are unknown')
		isWarned = true
	}

	return {
		async claim(campaign, limit) {
			const retriesDue = campaign.retryInMs !== null && campaign.retryInMs <= 0
			const query = retriesDue ? claimRetries : claimFresh
			const request = { lease, batch: ++batch, campaignId: campaign.id, limit }
			// Opened before claiming: if the answer is lost, the empty log shows that no message of the claim was sent.
			const sendLog = openSendLog({ ...lease, account: accountId, batch: request.batch }, { onMissing })
			const claim = await claimUntilKnown(options, request, query)
			if (claim === null) return []
			const { messages, claimedAtMs } = claim
			if (messages.length > 0) open.set(request.batch, { sendLog, left: messages.length, claimedAtMs })
			else sendLog.close()
			Object.assign(campaign, messages.length < limit && (retriesDue ? { retryInMs: null } : { hasFresh: false }))
			return messages
		},
		isRecent({ batch: number }) {
			const claim = open.get(number)
			return claim !== undefined && performance.now() - claim.claimedAtMs <= MAX_CLAIM_AGE_MS
		},
		note(message) {
			open.get(message.batch)?.sendLog.note(message.seq)
		},
		settled(message) {
			const claim = open.get(message.batch)
			if (!claim || --claim.left > 0) return
			open.delete(message.batch)
			claim.sendLog.close()
		},
	}
}

interface Claim {
	messages: ClaimedMessage[]
	/** Time of the process's monotonic clock before the statement that read the opt-outs. */
	claimedAtMs: number
}

/**
 * Claims exactly once. After a lost answer it looks for the claim under its batch number before it claims again under
 * that number. Returns null when the lease is not current any more.
 */
async function claimUntilKnown(
	{ db, accountId, log, hasCurrentLease }: ClaimsOptions,
	request: Parameters<typeof claimFresh>[2],
	query: typeof claimFresh,
): Promise<Claim | null> {
	let isUncertain = false
	const ask = async (work: (sql: Sql) => Promise<ClaimedMessage[] | null>): Promise<Claim | null> => {
		const claimedAtMs = performance.now()
		const messages = await transaction(db, work, { isByKey: true })
		return messages && { messages, claimedAtMs }
	}
	for (let attempt = 1; ; attempt++) {
		try {
			const found = isUncertain ? await ask((sql) => findClaim(sql, accountId, request)) : null
			if (found) return found
			const claim = await ask((sql) => query(sql, accountId, request))
			// The first run of the statement may have continued in the server and claimed everything while this run waited
			// for it.
			if (!isUncertain || !claim || claim.messages.length > 0) return claim
			return (await ask((sql) => findClaim(sql, accountId, request))) ?? claim
		} catch (error) {
			isUncertain = true
			log.warn({ error, accountId, attempt }, 'messages could not be claimed')
			if (!hasCurrentLease()) return null
			await sleep(Math.min(50 * 2 ** attempt, MAX_BACKOFF_MS))
		}
	}
}
