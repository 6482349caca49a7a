import type { PlantedFault } from '../fault.ts'

const messageChanges = 'src/features/delivery/server/settlement/message-changes.ts'
const money = 'src/features/delivery/server/settlement/money.ts'
const counterChanges = 'src/features/delivery/server/settlement/counter-changes.ts'
const passedOnTest = 'src/features/delivery/server/settlement/passed-on.test.ts'

/** Faults of passing on what WhatsApp does not charge. */
export const PASSED_ON_FAULTS: readonly PlantedFault[] = [
	{
		name: 'a free message stays charged',
		file: money,
		text: "if (isPassedOn) return was.status !== 'failed'",
		replacement: "if (isPassedOn) return was.status === 'failed'",
		tests: [passedOnTest],
	},
	{
		name: 'a free message keeps its price, and is refunded again when it fails',
		file: messageChanges,
		text: 'pricePaise: isCharged ? message.pricePaise : 0',
		replacement: 'pricePaise: message.pricePaise',
		tests: [passedOnTest],
	},
	{
		name: 'a later pricing returns what WhatsApp charges',
		file: messageChanges,
		text: 'message.isFree !== null || ',
		replacement: 'message.isFree || ',
		tests: [passedOnTest],
	},
	{
		name: 'the pricing of a failed message counts',
		file: messageChanges,
		text: "!pricing || status === 'failed'",
		replacement: '!pricing',
		tests: [passedOnTest],
	},
	{
		name: 'free messages are passed on without the option',
		file: messageChanges,
		text: '!message.passesOnFree || ',
		replacement: '',
		tests: [passedOnTest],
	},
	{
		name: 'the sums of a campaign keep the price of a free message',
		file: counterChanges,
		text: 'isPassedOn ? 0 : pricePaise',
		replacement: 'pricePaise',
		tests: [passedOnTest],
	},
]
