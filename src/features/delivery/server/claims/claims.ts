import { setTimeout as sleep } from 'node:timers/promises'
import type { Lease } from '#features/whatsapp/server/sending-state-queries.ts'
import { transaction, type Db, type AccountId, type Sql } from '#lib/server/db.ts'
import type { Log } from '#lib/server/log.ts'
import { openSendLog, type SendLog } from '#lib/server/storage/send-log.ts'
import { claimFresh, claimRetries, findClaim, type ClaimedMessage, type ClaimRequest } from './claim-queries.ts'
import { claimLimited, type ClaimSource, type Conversations, type LimitedClaim } from './limited-claims.ts'
import type { SendingCampaign } from './sending-state-queries.ts'

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
	/** Records that a message has left its claim. */
	settled(message: ClaimedMessage): void
}

export interface ClaimsOptions {
	db: Db
	accountId: AccountId
	lease: Lease
	log: Log
	/** Returns true while the lease is current, so that a claim may be repeated. */
	hasCurrentLease: () => boolean
	/** Returns true while WhatsApp limits the people whom the sender may reach. */
	isLimited: () => boolean
	conversations: Conversations
}

const MAX_BACKOFF_MS = 2000
const LOOK_INTERVAL_MS = 60_000
/**
 * Age in milliseconds after which a claim is given back, since opt-outs, erasures, pauses and limits were read when it
 * was made.
 */
export const MAX_CLAIM_AGE_MS = 5000

export function createClaims(options: ClaimsOptions): Claims {
	const { accountId, lease, log } = options
	/** The times at which a campaign's claims looked for people whom other campaigns reached, by performance.now(). */
	const lookedAtMs = new Map<number, number>()
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
			const source = sourceOf(campaign)
			const looksAtOthers = source === 'waiting' && isLookDue(lookedAtMs, campaign.id)
			const query = queryOf(options, { source, looksAtOthers })
			const request = { lease, batch: ++batch, campaignId: campaign.id, limit }
			// Opens the log before the claim: if the answer of the claim is lost, the empty log shows that no message was sent.
			const sendLog = openSendLog({ ...lease, account: accountId, batch: request.batch }, { onMissing })
			const claim = await claimUntilKnown(options, request, query)
			if (claim === null) return []
			const { messages, claimedAtMs, isEmpty, waitInMs } = claim
			if (messages.length > 0) open.set(request.batch, { sendLog, left: messages.length, claimedAtMs })
			else sendLog.close()
			if (isEmpty && source === 'retries') campaign.retryInMs = null
			if (isEmpty && source === 'fresh') campaign.hasFresh = false
			if (waitInMs !== undefined) campaign.waitInMs = waitInMs
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

/**
 * Returns true once in LOOK_INTERVAL_MS for a campaign, and records the time. Looking for these people can read all counted
 * people.
 */
function isLookDue(lookedAtMs: Map<number, number>, campaignId: number): boolean {
	const now = performance.now()
	if (now - (lookedAtMs.get(campaignId) ?? Number.NEGATIVE_INFINITY) < LOOK_INTERVAL_MS) return false
	for (const [id, at] of lookedAtMs) if (now - at >= LOOK_INTERVAL_MS) lookedAtMs.delete(id)
	lookedAtMs.set(campaignId, now)
	return true
}

/** Returns the queue of a campaign that is claimed next: due retries come first, messages that wait for the limit last. */
function sourceOf({ retryInMs, hasFresh }: SendingCampaign): ClaimSource {
	if (retryInMs !== null && retryInMs <= 0) return 'retries'
	return hasFresh ? 'fresh' : 'waiting'
}

type Query = (sql: Sql, accountId: AccountId, request: ClaimRequest) => Promise<LimitedClaim>

/** Returns the statements that claim from a queue. A sender without a limit claims in two statements. */
function queryOf(
	{ isLimited, conversations }: ClaimsOptions,
	{ source, looksAtOthers }: { source: ClaimSource; looksAtOthers: boolean },
): Query {
	if (isLimited() || source === 'waiting')
		return (sql, accountId, request) => claimLimited(sql, accountId, { request, source, conversations, looksAtOthers })
	const query = source === 'retries' ? claimRetries : claimFresh
	return async (sql, accountId, request) => {
		const messages = await query(sql, accountId, request)
		return { messages, isEmpty: messages.length < request.limit }
	}
}

interface Claim extends LimitedClaim {
	/** Time of the process's monotonic clock before the statement that read the opt-outs. */
	claimedAtMs: number
}

/**
 * Claims exactly once. After a lost answer it looks for the claim under its batch number before it claims again under
 * that number. Returns null when the lease is not current any more.
 */
async function claimUntilKnown(
	{ db, accountId, log, hasCurrentLease }: ClaimsOptions,
	request: ClaimRequest,
	query: Query,
): Promise<Claim | null> {
	let isUncertain = false
	const ask = async (work: (sql: Sql) => Promise<LimitedClaim | null>): Promise<Claim | null> => {
		const claimedAtMs = performance.now()
		const claim = await transaction(db, work, { isByKey: true })
		return claim && { ...claim, claimedAtMs }
	}
	const find = async (sql: Sql): Promise<LimitedClaim | null> => {
		const messages = await findClaim(sql, accountId, request)
		// Counts each found message as one that may have taken a place under a limit.
		const counted = messages?.map((message) => ({ ...message, isCounted: true }))
		return counted ? { messages: counted, isEmpty: counted.length < request.limit } : null
	}
	for (let attempt = 1; ; attempt++) {
		try {
			const found = isUncertain ? await ask(find) : null
			if (found) return found
			const claim = await ask((sql) => query(sql, accountId, request))
			// The first run of the statement may have continued in the server and claimed everything while this run waited
			// for it.
			if (!isUncertain || !claim || claim.messages.length > 0) return claim
			return (await ask(find)) ?? claim
		} catch (error) {
			isUncertain = true
			log.warn({ error, accountId, attempt }, 'messages could not be claimed')
			if (!hasCurrentLease()) return null
			await sleep(Math.min(50 * 2 ** attempt, MAX_BACKOFF_MS))
		}
	}
}
