import { BLOCK_SIZE } from '#features/delivery/rules.ts'
import { MAX_FINDINGS, type Finding } from '#features/wallet/server/ledger.ts'
import { transaction, type Db, type AccountId } from '#lib/server/db.ts'
import * as queries from './reconciliation-queries.ts'

const CAMPAIGNS_AT_ONCE = 200
/** Blocks per statement: about 50 ms. */
const BLOCKS_AT_ONCE = 50

/**
 * Returns the findings where money, counters and messages of an account's campaigns disagree, at least the first
 * MAX_FINDINGS. Each statement reads one moment of a few campaigns or of some thousand messages, takes milliseconds beside
 * sending, and sees only settled states.
 */
export async function reconcileCampaigns(
	db: Db,
	accountId: AccountId,
	scope: queries.CampaignScope,
): Promise<Finding[]> {
	const findings: Finding[] = []
	let after = 0
	while (findings.length < MAX_FINDINGS) {
		const campaigns = await queries.listToCheck(db, accountId, { ...scope, after, limit: CAMPAIGNS_AT_ONCE })
		if (campaigns.length === 0) break
		after = campaigns.at(-1)?.id ?? after
		const ids = campaigns.map(({ id }) => id)
		findings.push(...(await byKey(db, (sql) => queries.checkCampaigns(sql, accountId, ids))))
		for (const { id } of campaigns.filter(({ hasPrices }) => hasPrices))
			findings.push(...(await byKey(db, (sql) => queries.checkPrices(sql, accountId, id))))
		for (const ranges of rangesOf(campaigns)) {
			findings.push(...(await byKey(db, (sql) => queries.checkBlocks(sql, accountId, ranges))))
			if (findings.length >= MAX_FINDINGS) break
		}
	}
	return findings
}

const byKey: typeof transaction = (db, work) => transaction(db, work, { isByKey: true })

/** Splits the blocks of campaigns into portions for one statement each. */
function* rangesOf(campaigns: readonly { id: number; messages: number }[]): Generator<queries.BlockRange[]> {
	let portion: queries.BlockRange[] = []
	let blocks = 0
	for (const { id, messages } of campaigns) {
		const count = Math.ceil(messages / BLOCK_SIZE)
		for (let first = 0; first < count;) {
			const last = Math.min(count, first + BLOCKS_AT_ONCE - blocks) - 1
			portion.push({ campaignId: id, first, last })
			blocks += last - first + 1
			first = last + 1
			if (blocks < BLOCKS_AT_ONCE) continue
			yield portion
			portion = []
			blocks = 0
		}
	}
	if (portion.length > 0) yield portion
}
