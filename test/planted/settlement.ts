import type { PlantedFault } from './fault.ts'

const server = 'src/features/campaigns/server'
const rules = 'src/features/campaigns/rules.ts'
const writeCampaign = `${server}/creation/write-campaign.ts`
const recorder = `${server}/sending/recorder.ts`
const recoveryTest = `${server}/sending/recovery.test.ts`
const countQueries = `${server}/settlement/count-queries.ts`
const counterChanges = `${server}/settlement/counter-changes.ts`
const heldBackTest = `${server}/settlement/held-back.test.ts`
const messageChanges = `${server}/settlement/message-changes.ts`
const money = `${server}/settlement/money.ts`
const settleQueries = `${server}/settlement/settle-queries.ts`
const settleTest = `${server}/settlement/settle.test.ts`
const moneyHistoriesTest = 'test/money-histories.test.ts'

/** Faults of statuses, counters and money. */
export const SETTLEMENT_FAULTS: readonly PlantedFault[] = [
	// Settling.
	{
		name: 'a settled message goes on waiting',
		file: settleQueries,
		text: 'delete from unsettled_messages u using locked l',
		replacement: 'delete from unsettled_messages u using (select * from locked where false) l',
		tests: [recoveryTest],
	},
	{
		name: 'a campaign without pending messages is not completed',
		file: settleQueries,
		text: 'from}::text[]) and c.pending_count + n.pending = 0 then',
		replacement: 'from}::text[]) and c.pending_count + n.pending < 0 then',
		tests: [moneyHistoriesTest],
	},
	{
		name: 'statuses fall',
		file: messageChanges,
		text: 'if (!advances(message, update)) continue',
		replacement: 'if (message.status === update.status) continue',
		tests: [settleTest],
	},
	{
		name: 'a sent message becomes one that was never sent',
		file: rules,
		text: 'toCode === unconfirmed || NEVER_SENT_CODES.includes(toCode)',
		replacement: 'toCode === unconfirmed',
		tests: [settleTest],
	},
	{
		name: 'an unconfirmed failure is never undone',
		file: rules,
		text: 'return isUnconfirmed && (',
		replacement: 'return isUnconfirmed && toCode > 0 && (',
		tests: [settleTest],
	},
	{
		name: 'a failure undoes a delivery',
		file: rules,
		text: "'pending', 'sent', 'failed', 'delivered', 'read']",
		replacement: "'pending', 'sent', 'delivered', 'failed', 'read']",
		tests: [moneyHistoriesTest],
	},
	{
		name: 'a campaign counts a message twice',
		file: counterChanges,
		text: '{ campaignId, ...NONE }\n\t\tchange[was.status]--',
		replacement: '{ campaignId, ...NONE }',
		tests: [settleTest],
	},
	{
		name: 'a block counts a message twice',
		file: counterChanges,
		text: 'block, ...NONE }))\n\t\tchange[was.status]--',
		replacement: 'block, ...NONE }))',
		tests: [settleTest],
	},
	{
		name: 'a reason counts failures that were undone',
		file: counterChanges,
		text: 'count: -1 })',
		replacement: 'count: 0 })',
		tests: [moneyHistoriesTest],
	},
	{
		name: 'what was never sent fails on the day',
		file: counterChanges,
		text: "return status === 'failed' && !NEVER_SENT_CODES.includes(errorCode ?? 0)",
		replacement: "return status === 'failed' && errorCode !== 0",
		tests: [settleTest],
	},
	{
		name: 'a verdict of the network is dropped after the lease was taken',
		file: recorder,
		text: 'if (update && (isHeld || left.isVerdict))',
		replacement: 'if (update && isHeld)',
		tests: [recoveryTest],
	},
	// Money.
	{
		name: 'a refused message is charged',
		file: money,
		text: "isReleased ? 'release' : 'capture'",
		replacement: "'capture'",
		tests: [settleTest],
	},
	{
		name: 'what was never charged is refunded',
		file: money,
		text: 'waivedCount + own.waivedChange > 0',
		replacement: 'waivedCount + own.waivedChange < 0',
		tests: [settleTest],
	},
	{
		name: 'the last affordable confirmation is waived',
		file: money,
		text: 'availablePaise < own.campaign.pricePaise',
		replacement: 'availablePaise <= own.campaign.pricePaise',
		tests: [settleTest],
	},
	{
		name: 'what a batch releases cannot pay in it',
		file: money,
		text: 'release: 1, refund: 1',
		replacement: 'release: 0, refund: 1',
		tests: [settleTest],
	},
	{
		name: 'confirmations of a batch spend the same money',
		file: money,
		text: 'hold: -1, capture: 0',
		replacement: 'hold: 0, capture: 0',
		tests: [settleTest],
	},
	{
		name: 'money is spent before it is given back',
		file: money,
		text: "['release', 'refund', 'hold', 'capture']",
		replacement: "['hold', 'capture', 'release', 'refund']",
		tests: [settleTest],
	},
	{
		name: 'a refunded message stays waived',
		file: money,
		text: 'if (waivedChange !== 0)',
		replacement: 'if (waivedChange > 0)',
		tests: [settleTest],
	},
	{
		name: 'a message that is held back is charged twice',
		file: money,
		text: "transition, 'refund', 'hold')",
		replacement: "transition, 'hold')",
		tests: [heldBackTest],
	},
	{
		name: 'a forged report that overtakes its answer gives the money back',
		file: money,
		text: '(attempt > 0 || isReport)',
		replacement: 'attempt > 0',
		tests: ['src/features/wallet/server/refunds.test.ts'],
	},
	{
		name: 'a campaign holds less than its price',
		file: writeCampaign,
		text: 'const paise = count * pricePaise\n\tif',
		replacement: 'const paise = (count - 1) * pricePaise\n\tif',
		tests: [moneyHistoriesTest],
	},
	{
		name: 'a day forgets what it has spent',
		file: countQueries,
		text: 'spent_paise = d.spent_paise + excluded.spent_paise',
		replacement: 'spent_paise = excluded.spent_paise',
		tests: [settleTest],
	},
]
