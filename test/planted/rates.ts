import type { PlantedFault } from './fault.ts'

const markets = 'src/features/pricing/markets.ts'
const marketColumn = 'src/features/pricing/server/market-column.ts'
const rateFile = 'src/features/pricing/server/rate-file.ts'
const priceQueries = 'src/features/pricing/server/queries.ts'
const rateService = 'src/features/pricing/server/rate-service.ts'
const routesTest = 'src/features/pricing/server/rate-routes.test.ts'

/** Faults of markets and of Meta's rate cards. */
export const RATE_FAULTS: readonly PlantedFault[] = [
	{
		name: 'the shortest prefix decides the market',
		file: markets,
		text: 'for (let length = LONGEST_PREFIX; length > 0; length--)',
		replacement: 'for (let length = 1; length <= LONGEST_PREFIX; length++)',
		tests: ['src/features/pricing/markets.test.ts'],
	},
	{
		name: 'the shortest prefix decides the market in SQL',
		file: marketColumn,
		text: '(_, index) => LONGEST_PREFIX - index)',
		replacement: '(_, index) => index)',
		tests: ['src/features/pricing/server/market-column.test.ts'],
	},
	{
		name: 'a rate of 0 is loaded',
		file: rateFile,
		text: 'if (micros <= 0)',
		replacement: 'if (micros < 0)',
		tests: ['src/features/pricing/server/rate-file.test.ts'],
	},
	{
		name: 'the oldest card of a day counts',
		file: priceQueries,
		text: 'order by effective_from, id desc\n\t\t) newest',
		replacement: 'order by effective_from, id\n\t\t) newest',
		tests: ['src/features/pricing/server/rate-queries.test.ts'],
	},
	{
		name: 'a card is loaded without its confirmed difference',
		file: rateService,
		text: 'if (compared.confirmation !== confirmation)',
		replacement: "if (confirmation === '')",
		tests: [routesTest],
	},
	{
		name: 'a card in effect is removed',
		file: rateService,
		text: 'card.fileName === null || card.effectiveFrom <= indianDay(Date.now())',
		replacement: 'card.fileName === null',
		tests: [routesTest],
	},
]
