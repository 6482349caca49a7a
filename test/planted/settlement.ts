import type { PlantedFault } from './fault.ts'

const delivery = 'src/features/delivery/server'
const server = 'src/features/campaigns/server'
const rules = 'src/features/delivery/rules.ts'
const recorder = `${delivery}/sending/recorder.ts`
const recoveryTest = `${delivery}/claims/recovery.test.ts`
const countQueries = `${delivery}/settlement/count-queries.ts`
const counterChanges = `${delivery}/settlement/counter-changes.ts`
const retryTest = `${server}/report/retry.test.ts`
const ledger = 'src/features/wallet/server/ledger.ts'
const ledgerTest = 'src/features/wallet/server/ledger.test.ts'
const recipientQueries = `${server}/report/recipient-queries.ts`
const messageChanges = `${delivery}/settlement/message-changes.ts`
const money = `${delivery}/settlement/money.ts`
const settleQueries = `${delivery}/settlement/settle-queries.ts`
const settleTest = `${delivery}/settlement/settle.test.ts`
const waivedPricesTest = `${delivery}/settlement/waived-prices.test.ts`
const moneyHistoriesTest = 'test/money-histories.test.ts'

/** Faults of statuses, counters and money. */
export const SETTLEMENT_FAULTS: readonly PlantedFault[] = [
	// Settling.
	{
		name: 'a settled message keeps its waiting row',
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
		name: 'a lower status replaces a higher one',
		file: messageChanges,
		text: 'const isAdvance = advances(message, update)',
		replacement: 'const isAdvance = message.status !== update.status || advances(message, update)',
		tests: [settleTest],
	},
	{
		name: 'a sent message returns to pending',
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
		text: '?? emptyChange(campaignId)\n\t\tchange[was.status]--',
		replacement: '?? emptyChange(campaignId)',
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
		name: 'unsent messages fail on the day of their order',
		file: counterChanges,
		text: "return status === 'failed' && !NEVER_SENT_CODES.includes(errorCode ?? 0)",
		replacement: "return status === 'failed' && errorCode !== 0",
		tests: [settleTest],
	},
	{
		name: 'an answer of the network is dropped after the lease was taken',
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
		name: 'messages that were never charged are refunded',
		file: money,
		text: 'waivedCount + own.waivedChange > 0',
		replacement: 'waivedCount + own.waivedChange < 0',
		tests: [settleTest],
	},
	{
		name: 'the last affordable confirmation is waived',
		file: money,
		text: 'availablePaise >= priceIn(own, transition)',
		replacement: 'availablePaise > priceIn(own, transition)',
		tests: [settleTest],
	},
	{
		name: 'money released by a batch cannot pay for its other messages',
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
		file: ledger,
		text: "['recharge', 'release', 'refund', 'reversal', 'hold', 'capture']",
		replacement: "['recharge', 'hold', 'capture', 'release', 'refund', 'reversal']",
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
		name: 'a forged status update that overtakes its answer gives the money back',
		file: money,
		text: "was.status === 'pending' && isStatusUpdate",
		replacement: "was.status === 'pending' && !isStatusUpdate",
		tests: ['src/features/statements/server/refunds.test.ts'],
	},
	// Retries.
	{
		name: 'a retry sends throttled messages again',
		file: 'src/features/whatsapp/server/codes/message-codes.ts',
		text: `WhatsApp restricts accounts that do.',
			isWorthRetrying: false`,
		replacement: `WhatsApp restricts accounts that do.',
			isWorthRetrying: true`,
		tests: [retryTest],
	},
	{
		name: 'a retry sends a message again that an earlier retry sent and Meta throttled',
		file: recipientQueries,
		text: ' or s.error_code = ${THROTTLED_CODE}',
		replacement: '',
		tests: [retryTest],
	},
	{
		name: 'a retry is sent to recipients that a retry of its retry has reached',
		file: recipientQueries,
		text: 'and c.retry_of = f.id',
		replacement: 'and c.retry_of = f.id and false',
		tests: [retryTest],
	},
	{
		name: 'two retries of one family do not wait for each other',
		file: 'src/features/campaigns/server/report/retry-service.ts',
		text: 'String(first))',
		replacement: 'campaignId)',
		tests: [retryTest],
	},
	// Prices of single messages.
	{
		name: 'a waived message with a price of its own pays for another one',
		file: money,
		text: 'transition.pricePaise === null && own.campaign',
		replacement: 'own.campaign',
		tests: [waivedPricesTest],
	},
	{
		name: 'a message abroad is charged at the price of the campaign',
		file: money,
		text: 'movement.paise += priceIn(own, transition)',
		replacement: 'movement.paise += own.campaign.pricePaise',
		tests: [moneyHistoriesTest],
	},
	{
		name: 'a settled message stays in the sum of pending prices',
		file: settleQueries,
		text: 'c.pending_extra_paise + n.own_pending_paise',
		replacement: 'c.pending_extra_paise',
		tests: [moneyHistoriesTest],
	},
	{
		name: 'a waived message abroad is refunded when it fails',
		file: settleQueries,
		text: 'update campaign_messages set price_paise = 0',
		replacement: 'update campaign_messages set price_paise = price_paise',
		tests: [waivedPricesTest],
	},
	{
		name: 'a confirmed price forgets the messages abroad',
		file: 'src/features/delivery/server/orders/new-message-queries.ts',
		text: 'paise: left * pricePaise + extra',
		replacement: 'paise: left * pricePaise',
		tests: ['src/features/delivery/server/lifecycle/market-repricing.test.ts'],
	},
	// Orders.
	{
		name: 'a campaign holds less than its price',
		file: 'src/features/campaigns/server/creation/write-order.ts',
		text: 'const paise = count * pricePaise',
		replacement: 'const paise = (count - 1) * pricePaise',
		tests: [moneyHistoriesTest],
	},
	{
		name: 'a new entry resets the sum of its day',
		file: countQueries,
		text: 'spent_paise = d.spent_paise + ${day.spentPaise}::bigint',
		replacement: 'spent_paise = ${day.spentPaise}::bigint',
		tests: [settleTest],
	},
	{
		name: 'of two concurrent campaigns that begin a day, one is not settled',
		file: countQueries,
		text: 'values (${accountId}, ${INDIAN_TODAY}) on conflict do nothing',
		replacement: 'values (${accountId}, ${INDIAN_TODAY})',
		tests: [settleTest],
	},
	{
		name: 'a statement line that two concurrent transactions begin loses the first',
		file: ledger,
		text: 'held_change_paise = l.held_change_paise + excluded.held_change_paise',
		replacement: 'held_change_paise = excluded.held_change_paise',
		tests: [ledgerTest],
	},
]
