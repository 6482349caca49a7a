import { gapProblems } from '#features/audiences/value-problems.ts'
import type { Component } from '#features/templates/contract.ts'
import { misfitErrors, openParts } from '#features/templates/filled.ts'
import { CONTACT_TAGS, mergeTags, type Variables } from '#features/templates/values.ts'
import { plural } from '#lib/numbers.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import type { OwnColumns } from '../merge-column-queries.ts'
import * as queries from './audience-queries.ts'

/** Returns the merge tags that contacts have values for. */
export function contactTags(own: OwnColumns): string[] {
	return [...CONTACT_TAGS, ...own.keys()]
}

export function refusedValues(tag: string, recipients: number): string {
	return `${plural(recipients, 'recipient has', 'recipients have')} a ${tag} with a line break, a tab or more than four spaces in a row`
}

interface Measured {
	audience: queries.Audience
	/** Components of the template; empty while no template is chosen. */
	components: readonly Component[]
	/** Variables whose merge tags exist in contacts. */
	variables: Variables
	own: OwnColumns
}

/**
 * Counts an audience and the recipients without a value for each used merge tag (`gaps`). `errors` names tags whose
 * value is missing without a fallback, refused by Meta, or makes the message too long.
 */
export async function measureAudience(
	sql: Sql,
	accountId: AccountId,
	{ audience, components, variables, own }: Measured,
): Promise<Omit<queries.AudienceCount, 'unfit' | 'misfits'> & { gaps: Record<string, number>; errors: string[] }> {
	const used = new Set(mergeTags(variables))
	// An unknown tag is reported by `valueProblems`.
	const tags = contactTags(own).filter((known) => used.has(known))
	const parts = openParts(components, variables)
	const { unfit, misfits, ...counts } = await queries.countAudience(sql, accountId, { audience, tags, own, parts })
	const gaps: Record<string, number> = {}
	const errors: string[] = []
	for (const [at, { empty, refused }] of unfit.entries()) {
		const tag = tags[at] ?? ''
		if (empty > 0) gaps[tag] = empty
		if (refused > 0) errors.push(refusedValues(tag, refused))
	}
	const missing = gapProblems(variables, gaps).map(({ message }) => message)
	return { ...counts, gaps, errors: [...missing, ...errors, ...misfitErrors(parts, misfits)] }
}
