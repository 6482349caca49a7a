import type { PlantedFault } from './fault.ts'

const delivery = 'src/features/delivery/server'
const placesTest = `${delivery}/limits/places.test.ts`
const limitsTest = `${delivery}/limits/limits.test.ts`

/** Faults of the counting under WhatsApp's limit, and of campaigns that wait for it. */
export const LIMIT_FAULTS: readonly PlantedFault[] = [
	{
		name: 'a claim takes one new person more than places are left',
		file: `${delivery}/limits/places.ts`,
		text: 'if (isNew && added.size >= share) continue',
		replacement: 'if (isNew && added.size > share) continue',
		tests: [placesTest, limitsTest],
	},
	{
		name: 'a person with a later message counts no more after a day',
		file: `${delivery}/limits/portfolio-queries.ts`,
		text: 'where k.portfolio = ${portfolio} and k.person = g.person and k.counted_at > t.since',
		replacement: 'where k.portfolio = ${portfolio} and k.person = g.person and k.counted_at > t.at',
		tests: [placesTest],
	},
	{
		name: 'a failed message gives the place of a person back who has another message',
		file: `${delivery}/limits/portfolio-queries.ts`,
		text: 'where other.portfolio = ${portfolio} and other.person = g.person and not exists (',
		replacement: 'where other.portfolio is null and other.person = g.person and not exists (',
		tests: [placesTest],
	},
	{
		name: 'a claim takes places that another account of the portfolio has taken',
		file: `${delivery}/limits/places.ts`,
		text: 'const free = Math.max(0, perDay - people)',
		replacement: 'const free = Math.max(0, perDay - people + 1)',
		tests: [placesTest],
	},
	{
		name: 'a message that Meta refused keeps its place',
		file: `${delivery}/sending/recorder.ts`,
		text: "return kind !== 'accepted' && kind !== 'unknown'",
		replacement: "return kind === 'returned'",
		tests: [limitsTest],
	},
	{
		name: 'a campaign that waits for the limit keeps a worker busy',
		file: `${delivery}/limits/waiting-queries.ts`,
		text: 'else greatest(extract(epoch from c.limit_waits_until - now()) * 1000, 0)',
		replacement: 'else 0',
		tests: [limitsTest],
	},
]
