import { gapProblems } from '#features/campaigns/order-checks.ts'
import { CONTACT_TAGS, mergeTags, type Variables } from '#features/templates/values.ts'
import { plural } from '#lib/numbers.ts'
import type { OwnerId, Sql } from '#lib/server/db.ts'
import type { OwnColumns } from '../merge-column-queries.ts'
import * as queries from './audience-queries.ts'

/** The merge tags that contacts have. */
export function contactTags(own: OwnColumns): string[] {
	return [...CONTACT_TAGS, ...own.keys()]
}

export function refusedValues(tag: string, recipients: number): string {
	return `${plural(recipients, 'recipient has', 'recipients have')} a ${tag} with a line break, a tab or more than four spaces in a row`
}

/** How many contacts lack a value for the merge tags in use, and the errors of those that need one, or have one that Meta refuses. */
export async function readMergeValues(
	sql: Sql,
	owner: OwnerId,
	{ audience, variables, own }: { audience: queries.Audience; variables: Variables; own: OwnColumns },
): Promise<{ gaps: Record<string, number>; errors: string[] }> {
	const gaps: Record<string, number> = {}
	const errors: string[] = []
	const used = new Set(mergeTags(variables))
	// Each takes a query; what no contact has is another error.
	for (const tag of contactTags(own).filter((known) => used.has(known))) {
		const { empty, refused } = await queries.countUnfit(sql, owner, { audience, tag, own })
		if (empty > 0) gaps[tag] = empty
		if (refused > 0) errors.push(refusedValues(tag, refused))
	}
	return { gaps, errors: [...gapProblems(variables, gaps).map(({ message }) => message), ...errors] }
}
