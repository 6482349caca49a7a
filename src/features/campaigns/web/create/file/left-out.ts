import type { CampaignEstimate } from '#features/campaigns/preflight-contract.ts'
import { formatCount, plural } from '#lib/numbers.ts'
import type { FileAnalysis } from './use-audience-file.ts'

/** Number of rows that are left out because of their content. */
export type LeftOutRows = Pick<FileAnalysis['counts'], 'invalid' | 'duplicate' | 'unlikely'>

/** Counts the rows that are left out; rows with unlikely numbers only while the user has not ticked them. */
export function leftOutRows({ counts, columns }: Pick<FileAnalysis, 'counts' | 'columns'>): LeftOutRows {
	const { invalid, duplicate, unlikely } = counts
	return { invalid, duplicate, unlikely: columns.withUnlikely ? 0 : unlikely }
}

type Reached = Pick<CampaignEstimate, 'optedOut' | 'capped' | 'frequency' | 'unpriced'>

/** Returns the number of people who get no message, by reason, in the words of *Upload Contacts*; null when all get one. */
export function leftOutText(rows: LeftOutRows | undefined, reached: Reached | undefined): string | null {
	const { invalid = 0, duplicate = 0, unlikely = 0 } = rows ?? {}
	const { optedOut = 0, capped = 0, unpriced = [] } = reached ?? {}
	const reasons = [
		invalid > 0 && plural(invalid, 'wrong or missing number'),
		duplicate > 0 && plural(duplicate, 'duplicate'),
		unlikely > 0 && plural(unlikely, 'number that looks wrong', 'numbers that look wrong'),
		optedOut > 0 && `${formatCount(optedOut)} opted out`,
		capped > 0 && `${formatCount(capped)} ${cappedText(reached)}`,
		...unpriced.map(({ market, recipients, reason }) => {
			const why = reason === 'blocked' ? 'country blocked' : 'no price yet'
			return `${formatCount(recipients)} in ${market} (${why})`
		}),
	]
	return reasons.filter(Boolean).join(', ') || null
}

/** Returns the reason why the account's rule leaves people out, in words. */
function cappedText(reached: Reached | undefined): string {
	const { messages = 1, days = 1 } = reached?.frequency ?? {}
	const when = plural(days, 'day')
	return messages === 1 ? `written to less than ${when} ago` : `got ${plural(messages, 'marketing message')} in ${when}`
}
