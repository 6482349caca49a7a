import type { PlantedFault } from './fault.ts'

const ledger = 'src/features/wallet/server/ledger.ts'
const lineOrder = 'src/features/statements/server/line-order-queries.ts'
const queries = 'src/features/statements/server/queries.ts'
const reconciliationQueries = 'src/features/wallet/server/reconciliation-queries.ts'
const runningBalancesTest = 'src/features/statements/server/running-balances.test.ts'
const reconciliationTest = 'src/app/server/reconciliation.test.ts'

/** Faults of statements and of the reconciliation that checks them. */
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
		text: "'recharge', 'hold', 'capture'",
		replacement: "'recharge', 'capture', 'hold'",
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
		name: 'the reconciliation takes a further hold for the beginning of a part',
		file: reconciliationQueries,
		text: 'where not exists (select from statement_lines where account_id = ${owner} and part = l.part and id < l.id)',
		replacement: "where l.kind in ('recharge', 'hold')",
		tests: [runningBalancesTest],
	},
	{
		name: 'the reconciliation takes a line of one part for that of another',
		file: reconciliationQueries,
		text: `			from ledger e
			full join lines l on l.part = e.part and l.kind = e.kind and l.campaign_id = e.campaign_id`,
		replacement: `			from (select 0 as part, kind, campaign_id, sum(available) as available, sum(held) as held, sum(messages) as messages
				from ledger group by 2, 3) e
			full join (select 0 as part, kind, campaign_id, sum(available) as available, sum(held) as held, sum(messages) as messages
				from lines group by 2, 3) l on l.kind = e.kind and l.campaign_id = e.campaign_id`,
		tests: [reconciliationTest],
	},
]
