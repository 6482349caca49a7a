import { CONTACT_TAGS, mergeTags, tagsWithoutFallback, type Variables } from '#features/templates/values.ts'
import { plural } from '#lib/numbers.ts'
import type { Db, OwnerId } from '#lib/server/db.ts'
import * as queries from './audience-queries.ts'

export function missingValues(tag: string, recipients: number): string {
	return `${whoHave(recipients)} no ${tag}. Give a fallback, such as {{${tag}|friend}}`
}

export function refusedValues(tag: string, recipients: number): string {
	return `${whoHave(recipients)} a ${tag} with a line break, a tab or more than four spaces in a row`
}

function whoHave(recipients: number): string {
	return plural(recipients, 'recipient has', 'recipients have')
}

/** Errors for merge tags for which some contact has no value, or one that Meta refuses. */
export async function mergeValueErrors(
	db: Db,
	owner: OwnerId,
	{ audience, variables }: { audience: queries.Audience; variables: Variables },
): Promise<string[]> {
	const errors: string[] = []
	const required = new Set(tagsWithoutFallback(variables))
	const used = new Set(mergeTags(variables))
	// Each takes a query; what no contact has is another error.
	for (const tag of CONTACT_TAGS.filter((known) => used.has(known))) {
		const { empty, refused } = await queries.countUnfit(db, owner, { audience, tag })
		if (empty > 0 && required.has(tag)) errors.push(missingValues(tag, empty))
		if (refused > 0) errors.push(refusedValues(tag, refused))
	}
	return errors
}
