import type { PlantedFault } from './fault.ts'

const followNumber = 'src/features/delivery/server/sweeps/follow-number'
const retryable = 'src/features/campaigns/server/report/recipient-queries.ts'
const retryTest = 'src/features/campaigns/server/report/retry.test.ts'
const claimsTest = 'src/features/delivery/server/claims/claims.test.ts'
const join = 'src/features/contacts/server/contacts/join.ts'
const peopleTest = 'src/features/chats/server/inbound/people.test.ts'
const changedNumbersTest = 'src/features/chats/server/inbound/changed-numbers.test.ts'

/** Faults in the changes that a new number of a person causes. */
export const PEOPLE_FAULTS: readonly PlantedFault[] = [
	{
		name: 'the words of a person count for the next owner of the number',
		file: 'src/features/chats/server/inbound/opt-out-replies.ts',
		text: 'if (from !== present || (until !== null && at > until)) continue',
		replacement: 'if (from !== present || until !== null) continue',
		tests: [peopleTest],
	},
	{
		name: 'the next owner of a number takes the opt-out of the earlier one along',
		file: join,
		text: 'if (since !== null && optOut.at <= since) continue',
		replacement: '',
		tests: [peopleTest],
	},
	{
		name: 'an opt-out that goes along with a change of number replaces a later opt-in',
		file: join,
		text: 'const at = changedAt === null ? now',
		replacement: 'const at = now ? now',
		tests: [peopleTest],
	},
	{
		name: 'a change of number locks its opt-outs after the contacts of an opt-out',
		file: join,
		text: 'await lockOptOutsOfPeople(sql, accountId, [...new Set([...keys, ...said.map(({ number }) => number)])])',
		replacement: 'await applyOptOutsBeside(sql, accountId, { given: said, others: [] })',
		tests: [changedNumbersTest],
	},
	{
		name: 'a pending message stays at the former number of its recipient',
		file: `${followNumber}-queries.ts`,
		text: 'set number = n.present,',
		replacement: 'set number = m.number,',
		tests: [retryTest],
	},
	{
		name: 'a message in flight gets the present number of its recipient',
		file: `${followNumber}.ts`,
		text: 'const free = found.filter((message) => !stateOf(message))',
		replacement: 'const free = found',
		tests: [retryTest],
	},
	{
		name: 'a message fails as repeated before its campaign has begun',
		file: `${followNumber}-queries.ts`,
		text: 'r.is_repeated and c.started_at is not null as',
		replacement: 'r.is_repeated as',
		tests: [retryTest],
	},
	{
		name: 'a claim sends two messages to a person whose numbers were both listed',
		file: 'src/features/delivery/server/claims/claim-queries.ts',
		text: 'o.listed_number is null or o.seq < m.seq',
		replacement: 'false',
		tests: [claimsTest],
	},
	{
		name: 'a message moves to another number while it is being claimed',
		file: `${followNumber}.ts`,
		text: 'await queries.lockSender(sql, accountId)',
		replacement: '',
		tests: [claimsTest],
	},
	{
		name: 'a claim that waits takes the former number of a message that has moved meanwhile',
		file: 'src/features/delivery/server/claims/claim-queries.ts',
		text: 'isFormer ? [seq] : []',
		replacement: 'isFormer && seq < 0 ? [seq] : []',
		tests: [claimsTest],
	},
	{
		name: 'a person with both numbers in a campaign gets two messages',
		file: `${followNumber}.ts`,
		text: 'const repeated = free.filter(({ isRepeated }) => isRepeated)',
		replacement: 'const repeated = free.filter(({ isRepeated }) => isRepeated && false)',
		tests: [retryTest],
	},
	{
		name: 'a retry goes to the former number of a recipient',
		file: retryable,
		text: 'coalesce(o.number, m.number) as number, c.kind',
		replacement: 'm.number, c.kind',
		tests: [retryTest],
	},
	{
		name: 'a retry reaches a person with both numbers twice',
		file: retryable,
		text: "(m.number = m.listed or m.kind = 'api' or not exists (",
		replacement: '(true or not exists (',
		tests: [retryTest],
	},
]
