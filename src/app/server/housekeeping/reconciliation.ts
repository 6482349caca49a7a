import { reconcileReplies } from '#features/chats/server/charges/reconciliation.ts'
import { HOURS_OF_WEEK, type CampaignScope } from '#features/delivery/server/settlement/reconciliation-queries.ts'
import { reconcileCampaigns } from '#features/delivery/server/settlement/reconciliation.ts'
import { reconcilePayments } from '#features/payments/server/reconciliation-queries.ts'
import type { Finding } from '#features/wallet/server/ledger.ts'
import {
	findLastReconciliationAllAccounts,
	insertReconciliationAllAccounts,
} from '#features/wallet/server/reconciliation-queries.ts'
import { reconcileReceiptNumbers, reconcileWallet } from '#features/wallet/server/reconciliation.ts'
import { HOUR_MS } from '#lib/durations.ts'
import type { Db, AccountId } from '#lib/server/db.ts'
import { listAccountsAllAccounts } from '#lib/server/db/all-accounts.ts'
import type { Log } from '#lib/server/log.ts'

/** Milliseconds by which runs overlap: longer than a transaction that began before the last run and wrote after it. */
const OVERLAP_MS = 600_000
const MAX_LOGGED = 100

const EVERYTHING: CampaignScope = { since: null, turns: [] }

/**
 * Checks, on any database, that all money adds up: wallets and ledgers, statements, receipts, payments, replies, campaigns and
 * their messages. Reads one account after the other in short statements with one snapshot each, so that concurrent sending
 * does not disturb it. A sound database yields nothing; an account that cannot be read is a finding, since its money is
 * unchecked.
 */
export async function reconcileMoney(
	db: Db,
	{ scope = EVERYTHING, signal }: { scope?: CampaignScope; signal?: AbortSignal } = {},
): Promise<Finding[]> {
	const findings: Finding[] = []
	const check = async (accountId: AccountId | null, work: () => Promise<Finding[]>) => {
		const found = await work().catch((error: unknown) => [unread(accountId, error)])
		for (const finding of found) findings.push(finding)
	}
	for (const accountId of await listAccountsAllAccounts(db)) {
		if (signal?.aborted) return findings
		await check(accountId, () => reconcileAccount(db, accountId, scope))
	}
	await check(null, () => reconcileReceiptNumbers(db))
	return findings
}

async function reconcileAccount(db: Db, accountId: AccountId, scope: CampaignScope): Promise<Finding[]> {
	const isTurn = scope.turns.includes(Number(accountId) % HOURS_OF_WEEK)
	const since = isTurn ? null : scope.since
	return [
		...(await reconcileWallet(db, accountId, { since })),
		...(await reconcilePayments(db, accountId)),
		...(await reconcileReplies(db, accountId, { isFull: since === null })),
		...(await reconcileCampaigns(db, accountId, scope)),
	]
}

function unread(accountId: AccountId | null, error: unknown): Finding {
	const detail = error instanceof Error ? error.message : String(error)
	return { accountId, rule: 'the reconciliation reads everything', detail: detail.slice(0, 500) }
}

/**
 * Reconciles all changes since the last run, plus a part of the rest: each ledger and campaign has a fixed hour of the
 * week, so that all are read weekly. Stores the findings for /metrics. Does nothing within an hour after the last run.
 */
export async function reconcileMoneyHourly({ db, log }: { db: Db; log: Log }, signal?: AbortSignal): Promise<void> {
	const last = await findLastReconciliationAllAccounts(db)
	if (last && Date.now() - last.finishedAt.getTime() < HOUR_MS) return
	const startedAt = performance.now()
	const since = last ? new Date(last.startedAt.getTime() - OVERLAP_MS) : null
	const findings = await reconcileMoney(db, { scope: { since, turns: turnsSince(last?.startedAt) }, signal })
	if (signal?.aborted) return
	await insertReconciliationAllAccounts(db, { findings, milliseconds: Math.round(performance.now() - startedAt) })
	for (const finding of findings.slice(0, MAX_LOGGED))
		log.error(finding, 'the reconciliation found a rule that does not hold')
}

/** Returns the hours of the week that began since `startedAt`, each at most once; the present hour without it. */
function turnsSince(startedAt: Date | undefined): number[] {
	const now = Math.floor(Date.now() / HOUR_MS)
	const last = startedAt ? Math.floor(startedAt.getTime() / HOUR_MS) : now - 1
	const count = Math.min(now - last, HOURS_OF_WEEK)
	return Array.from({ length: count }, (_, index) => (now - index) % HOURS_OF_WEEK)
}
