import type { PlantedFault } from '../fault.ts'

const charge = 'src/features/chats/server/charges/charge.ts'
const charges = 'src/features/chats/server/charges/charges.ts'
const chargesTest = 'src/features/chats/server/charges/charges.test.ts'
const holdsTest = 'src/features/chats/server/charges/holds.test.ts'

/** Faults of the money of replies. */
export const REPLY_FAULTS: readonly PlantedFault[] = [
	{
		name: 'a failed reply stays charged',
		file: charge,
		text: "if (status === 'failed') return 'returned'",
		replacement: "if (status === 'failed') return state === 'held' ? 'returned' : state",
		tests: [chargesTest],
	},
	{
		name: 'the last pricing counts',
		file: charge,
		text: 'const isWord = charge.pricingType === null && ',
		replacement: 'const isWord = ',
		tests: [chargesTest],
	},
	{
		name: 'a reply is charged after its hold has expired',
		file: charge,
		text: "if (state === 'expired') return state",
		replacement: "if (state === 'expired' && pricingType === null) return state",
		tests: [holdsTest],
	},
	{
		name: 'a late charge exceeds the wallet',
		file: charges,
		text: 'if (step.charge.pricePaise > available)',
		replacement: 'if (step.charge.pricePaise > available + step.charge.pricePaise)',
		tests: [chargesTest],
	},
	{
		name: 'the hold of a reply is forgotten',
		file: charges,
		text: 'await queries.insertCharge(sql, accountId, { messageId, pricePaise })',
		replacement: '',
		tests: [holdsTest],
	},
	{
		name: 'the charge of an erased chat is not settled',
		file: 'src/features/chats/server/settlement/settle.ts',
		text: 'current.get(id)?.isPaid ?? true',
		replacement: 'current.get(id)?.isPaid ?? false',
		tests: [chargesTest],
	},
]
