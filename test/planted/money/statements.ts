import type { PlantedFault } from '../fault.ts'

const ledger = 'src/features/wallet/server/ledger.ts'
const lineOrder = 'src/features/statements/server/line-order-queries.ts'
const queries = 'src/features/statements/server/queries.ts'
const reconciliationQueries = 'src/features/wallet/server/reconciliation-queries.ts'
const runningBalancesTest = 'src/features/statements/server/running-balances.test.ts'
const reconciliationTest = 'src/app/server/housekeeping/reconciliation.test.ts'

const restoreQueries = 'src/features/delivery/server/restore/restore-queries.ts'
const restored = 'src/features/delivery/server/restore/restored.ts'
const restoredTest = 'src/features/delivery/server/restore/restored.test.ts'
const unfinishedQueries = 'src/features/delivery/server/months/unfinished-queries.ts'
const unfinishedTest = 'src/features/delivery/server/months/unfinished.test.ts'
const blockQueries = 'src/features/delivery/server/settlement/reconciliation-queries.ts'

const writeOrders = 'src/features/developer/server/orders/write-orders.ts'
const orderQueueTest = 'src/features/developer/server/orders/order-queue.test.ts'

/** Faults of statements, of their reconciliation, of restores, of the end of months and of concurrent orders. */
export const STATEMENT_FAULTS: readonly PlantedFault[] = [
	{
		name: 'holds of a part exceed its opening balance',
		file: ledger,
		text: 'or coalesce(statement_left_paise, 0) + ${paid} < 0',
		replacement: 'or coalesce(statement_left_paise, 0) + ${paid} < -1000000',
		tests: [runningBalancesTest],
	},
	{
		name: 'a part has lines of two days',
		file: ledger,
		text: 'or statement_day < ${INDIAN_TODAY} or',
		replacement: 'or statement_day < ${INDIAN_TODAY} - 9999 or',
		tests: [runningBalancesTest],
	},
	{
		name: 'captures of a part are read before its holds',
		file: lineOrder,
		text: "'reversal', 'hold', 'capture'",
		replacement: "'reversal', 'capture', 'hold'",
		tests: [runningBalancesTest],
	},
	{
		name: 'batches of an export end within a part',
		file: queries,
		text: '${isByParts ? sql`statement_lines l where ${isWanted} and part in (select part from page)` : sql`page`}',
		replacement: 'page',
		tests: [runningBalancesTest],
	},
	{
		name: 'the opening balance of a part is that after its first entry',
		file: queries,
		text: '(f.available_after_paise - f.available_change_paise + l.available_moved)',
		replacement: '(f.available_after_paise + l.available_moved)',
		tests: [runningBalancesTest],
	},
	{
		name: 'the reconciliation treats a further hold as the beginning of a part',
		file: reconciliationQueries,
		text: 'where not exists (select from statement_lines where account_id = ${accountId} and part = l.part and id < l.id)',
		replacement: "where l.kind in ('recharge', 'hold')",
		tests: [runningBalancesTest],
	},
	{
		name: 'the reconciliation confuses the lines of two parts',
		file: reconciliationQueries,
		text: `			from ledger e
			full join lines l on l.part = e.part and l.kind = e.kind and l.campaign_id = e.campaign_id`,
		replacement: `			from (select 0 as part, kind, campaign_id, sum(available) as available, sum(held) as held, sum(messages) as messages
				from ledger group by 2, 3) e
			full join (select 0 as part, kind, campaign_id, sum(available) as available, sum(held) as held, sum(messages) as messages
				from lines group by 2, 3) l on l.kind = e.kind and l.campaign_id = e.campaign_id`,
		tests: [reconciliationTest],
	},
	{
		name: 'messages of programs and chats that a restore finds in the queue are sent again',
		file: restoreQueries,
		text: "kind <> 'campaign' and finished_at is null and status <> 'cancelled'",
		replacement: "kind = 'test' and finished_at is null and status <> 'cancelled'",
		tests: [restoredTest],
	},
	{
		name: 'messages that wait in quiet hours count as sent after a restore',
		file: restored,
		text: 'queries.doubtUnsettled(sql, accountId, isQuiet)',
		replacement: 'queries.doubtUnsettled(sql, accountId, false)',
		tests: [restoredTest],
	},
	{
		name: 'a backup made before the quiet hours is treated as one made during them',
		file: restoreQueries,
		text: 'where last.created_at >= ',
		replacement: 'where last.created_at is not null or last.created_at >= ',
		tests: [restoredTest],
	},
	{
		name: 'a restore gives ids of lost deliveries again',
		file: restoreQueries,
		text: 'else ${SKIPPED_IDS}::bigint end',
		replacement: 'else 0 * ${SKIPPED_IDS}::bigint end',
		tests: [restoredTest],
	},
	{
		name: 'a scheduled campaign starts after a restore before its owner has decided',
		file: restoreQueries,
		text: "isToPause: sql`status = 'pending'`",
		replacement: "isToPause: sql`status = 'draft'`",
		tests: [restoredTest],
	},
	{
		name: 'an unfinished campaign is cancelled without notice',
		file: unfinishedQueries,
		text: "and end_announced_at <= now() - ${NOTICE_DAYS}::int * interval '1 day'",
		replacement: "and ${NOTICE_DAYS}::int * interval '1 day' is not null",
		tests: [unfinishedTest],
	},
	{
		name: 'the reconciliation counts blocks of a month that is being removed',
		file: blockQueries,
		text: ' and c.id = n.campaign_id and c.messages_removed_at is null',
		replacement: ' and c.id = n.campaign_id',
		tests: [unfinishedTest],
	},
	{
		name: 'an order gets the result of the refused one before it',
		file: writeOrders,
		text: 'for (const [index, one] of accepted.entries()) one.outcome = placed?.[index] ?? OVERTAKEN',
		replacement: 'for (const [index, one] of work.entries()) one.outcome ??= placed?.[index] ?? OVERTAKEN',
		tests: [orderQueueTest],
	},
	{
		name: 'an order that the wallet cannot pay refuses those after it',
		file: writeOrders,
		text: 'if (neededPaise <= leftPaise) leftPaise -= neededPaise\n',
		replacement: 'if (neededPaise <= leftPaise || (leftPaise = 0)) leftPaise -= neededPaise\n',
		tests: [orderQueueTest],
	},
]
