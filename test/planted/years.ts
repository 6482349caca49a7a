import type { PlantedFault } from './fault.ts'

const delivery = 'src/features/delivery/server'
const months = `${delivery}/months/months.ts`
const monthQueries = `${delivery}/months/month-queries.ts`
const monthsTest = `${delivery}/months/months.test.ts`
const restoreQueries = `${delivery}/restore/restore-queries.ts`
const restoredTest = `${delivery}/restore/restored.test.ts`

/** Faults of the removal of old months, and of restored databases. */
export const YEARS_FAULTS: readonly PlantedFault[] = [
	{
		name: 'a campaign with messages to be sent is finalized',
		file: months,
		text: 'if (!isFinal)',
		replacement: 'if (!isFinal && isFinal)',
		tests: [monthsTest],
	},
	{
		name: 'a month is removed although one of its campaigns was not finalized',
		file: months,
		text: "cannot be removed because of this campaign',\n\t\t\t\t)\n\t\t\t\treturn removed",
		replacement: "cannot be removed because of this campaign',\n\t\t\t\t)",
		tests: [monthsTest],
	},
	{
		name: 'a campaign whose counters differ from its messages is finalized',
		file: monthQueries,
		text: 'and c.sent_count = w.sent\n',
		replacement: '\n',
		tests: [monthsTest],
	},
	{
		name: 'partitions of later months have other storage settings than the first',
		file: monthQueries,
		text: 'fillfactor = 38',
		replacement: 'fillfactor = 90',
		tests: [monthsTest],
	},
	{
		name: 'messages sent before a restore expire',
		file: `${delivery}/sweeps/sweep-queries.ts`,
		text: " and m.sent_at > ${sentAfter ?? '-infinity'}::timestamptz",
		replacement: " and ${sentAfter ?? '-infinity'}::timestamptz is not null",
		tests: [restoredTest],
	},
	{
		name: 'a restored campaign continues before its owner has decided',
		file: restoreQueries,
		text: "status in ('processing', 'paused') or",
		replacement: "status = 'paused' or",
		tests: [restoredTest],
	},
	{
		name: 'a retry that may have been sent since the backup is sent again',
		file: restoreQueries,
		text: "set retry_at = null, unknown_since = 'infinity'",
		replacement: 'set unknown_since = unknown_since',
		tests: [restoredTest],
	},
	{
		name: 'a message in flight at the backup counts as sent before its owner has decided',
		file: restoreQueries,
		text: 'c.id = u.campaign_id and c.restored_at is null\n\t\twhere u.account_id = ${accountId}',
		replacement: 'c.id = u.campaign_id\n\t\twhere u.account_id = ${accountId}',
		tests: [restoredTest],
	},
]
