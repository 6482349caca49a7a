import type { Log } from '#lib/server/log.ts'
import * as checks from './check-queries.ts'
import { ProviderError } from './provider/provider.ts'
import { settlePayment, type SettleContext } from './settle.ts'

/** Number of payments per run, and of concurrent readings from the provider. */
const AT_ONCE = 40
const PARALLEL = 4
/** Lower and upper limit of the seconds after which a claimed check counts as failed and is repeated. */
const MIN_CLAIM_SECONDS = 120
const MAX_CLAIM_SECONDS = 3600

export type PollContext = SettleContext & { log: Log; signal?: AbortSignal | undefined }

/**
 * Checks the payments that are due: at once after a webhook or return, otherwise open ones at growing intervals and paid ones
 * daily. Returns true when more may be due.
 */
export async function checkDuePayments(context: PollContext): Promise<boolean> {
	if (!context.paymentProvider) return false
	const due = await checks.listDueAllAccounts(context.db, AT_ONCE)
	const waiting = due.values()
	const checkNext = async () => {
		for (const one of waiting) {
			if (context.signal?.aborted) return
			await checkOne(context, one)
		}
	}
	await Promise.all(Array.from({ length: PARALLEL }, checkNext))
	return due.length === AT_ONCE
}

async function checkOne(context: PollContext, { accountId, id }: checks.DuePayment): Promise<void> {
	const limits = { minSeconds: MIN_CLAIM_SECONDS, maxSeconds: MAX_CLAIM_SECONDS }
	try {
		const claim = await checks.claimCheck(context.db, accountId, { id, ...limits })
		if (claim) await settlePayment(context, accountId, { id, claim })
	} catch (error) {
		if (error instanceof ProviderError) context.paymentCounters.providerErrors++
		context.log.error({ error, accountId, payment: id }, 'a payment could not be checked')
	}
}
