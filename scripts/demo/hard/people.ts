import type { NewContact } from '#features/contacts/server/contacts/queries.ts'
import { demoPeople } from '../people.ts'
import { HARD_NAMES, ofLength } from './texts.ts'

/** Numbers of many countries, each from a range reserved for fiction where the country has one. */
const FOREIGN_NUMBERS = [
	'14155550142',
	'971501234567',
	'447700900123',
	'61491570156',
	'33639980123',
	'46701740605',
	'12025550175',
	'8801712345678',
	'9779812345678',
	'94712345678',
	'6591234567',
	'60123456789',
	'966501234567',
	'97455123456',
	'4915112345678',
	'819012345678',
	'8613812345678',
	'79161234567',
	'5511912345678',
	'27821234567',
	'254712345678',
	// The shortest and the longest valid number.
	'2904123',
	'390612345678901',
	// Ten digits of an Indian number without its country code, which are read as an Iranian number.
	'9812345678',
]

/**
 * Returns contacts of which every fourth has a hard name. The last ones, which lists show first, have foreign numbers, and
 * every second of them has a hard name.
 */
export function hardPeople(count: number, groupOf: (index: number) => number | null): NewContact[] {
	return demoPeople(count, groupOf).map((person, index) => {
		const fromEnd = count - 1 - index
		const foreign = FOREIGN_NUMBERS[fromEnd]
		const every = foreign ? 2 : 4
		const number = foreign ?? person.number
		const hardName = HARD_NAMES[Math.floor(fromEnd / every) % HARD_NAMES.length]
		if (fromEnd % every !== 0 || hardName === undefined) return { ...person, number }
		return { ...person, number, firstName: hardName, lastName: fromEnd % 8 === 0 ? ofLength(hardName, 40) : null }
	})
}
