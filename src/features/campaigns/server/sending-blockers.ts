import type { Standing } from '#features/campaigns/contract.ts'
import { billingProblems } from '#features/whatsapp/rules.ts'
import { rupeesFromPaise } from '#lib/money.ts'
import type { Db, AccountId } from '#lib/server/db.ts'
import { findStandingFacts, type StandingFacts } from './sending-blocker-queries.ts'

/** Returns the most urgent problem of the account's sender and of its wallet; null where there is none. */
export async function getStanding(db: Db, accountId: AccountId): Promise<Standing> {
	const facts = await findStandingFacts(db, accountId)
	return facts ? { sender: senderProblem(facts), wallet: walletProblem(facts) } : { sender: null, wallet: null }
}

/** Returns the problem to solve first: problems that stop sending come before those that delay it or hide its results. */
function senderProblem(facts: StandingFacts): Standing['sender'] {
	const { hasSender, stoppedReason, waitingReason, getsNoStatusUpdates } = facts
	if (!hasSender) return { kind: 'no-credentials', reason: null }
	if (stoppedReason !== null) return { kind: 'stopped', reason: stoppedReason }
	if (waitingReason !== null) return { kind: 'waiting', reason: waitingReason }
	if (getsNoStatusUpdates) return { kind: 'no-reports', reason: null }
	const [problem] = billingProblems(facts, facts.displayPhoneNumber)
	return problem ? { kind: problem.kind, reason: problem.user } : null
}

function walletProblem({ availablePaise, lowBalancePaise, leastPricePaise }: StandingFacts): Standing['wallet'] {
	const balance = rupeesFromPaise(availablePaise)
	if (availablePaise < leastPricePaise) return { kind: 'empty', balance }
	return availablePaise < lowBalancePaise ? { kind: 'low', balance } : null
}
