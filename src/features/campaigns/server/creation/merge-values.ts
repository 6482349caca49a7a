import { gapProblems } from '#features/campaigns/order-checks.ts'
import { CONTACT_TAGS, mergeTags, type Variables } from '#features/templates/values.ts'
import { plural } from '#lib/numbers.ts'
import type { Db, OwnerId } from '#lib/server/db.ts'
import * as queries from './audience-queries.ts'

export function refusedValues(tag: string, recipients: number): string {
	return `${plural(recipients, 'recipient has', 'recipients have')} a ${tag} with a line break, a tab or more than four spaces in a row`
}

/** How many contacts lack a value for the merge tags in use, and the errors of those that need one, or have one that Meta refuses. */
export async function readMergeValues(
	db: Db,
	owner: OwnerId,
	{ audience, variables }: { audience: queries.Audience; variables: Variables },
): Promise<{ gaps: Record<string, number>; errors: string[] }> {
	const gaps: Record<string, number> = {}
	const errors: string[] = []
	const used = new Set(mergeTags(variables))
	// Each takes a query; what no contact has is another error.
	for (const tag of CONTACT_TAGS.filter((known) => used.has(known))) {
		const { empty, refused } = await queries.countUnfit(db, owner, { audience, tag })
		if (empty > 0) gaps[tag] = empty
		if (refused > 0) errors.push(refusedValues(tag, refused))
	}
	return { gaps, errors: [...gapProblems(variables, gaps).map(({ message }) => message), ...errors] }
}
