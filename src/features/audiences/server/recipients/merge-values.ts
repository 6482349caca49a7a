import { contactTags, gapProblems } from '#features/audiences/values.ts'
import type { Component } from '#features/templates/contract.ts'
import { fits, misfitErrors, openParts, type FilledPart } from '#features/templates/filled.ts'
import { mergeTags, type Variables } from '#features/templates/values.ts'
import { plural } from '#lib/numbers.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import type { CustomColumns, UnfitCounts } from '../merge-column-queries.ts'
import * as queries from './audience-queries.ts'
import type { Reach } from './audience-queries.ts'
import { findLeftOut, isLeftOut } from './left-out-rows.ts'

function refusedValues(tag: string, recipients: number): string {
	return `${plural(recipients, 'recipient has', 'recipients have')} a ${tag} with a line break, a tab or more than four spaces in a row`
}

/** Counts of unfit values and misfit parts: `unfit` in the order of `tags`, `misfits` in the order of `parts`. */
interface ValueCounts {
	variables: Variables
	tags: readonly string[]
	unfit: readonly UnfitCounts[]
	parts: readonly FilledPart[]
	misfits: readonly number[]
}

/** Returns how many recipients lack a value, by merge tag, and the problems of their values in words. */
export function valueFaults({ variables, tags, unfit, parts, misfits }: ValueCounts): Pick<Reach, 'gaps' | 'errors'> {
	const counts = unfit.map((one, at) => ({ ...one, tag: tags[at] ?? '' }))
	const gaps = Object.fromEntries(counts.flatMap(({ tag, empty }) => (empty > 0 ? [[tag, empty]] : [])))
	const missing = gapProblems(variables, gaps).map(({ message }) => message)
	const refused = counts.filter((one) => one.refused > 0).map((one) => refusedValues(one.tag, one.refused))
	return { gaps, errors: [...missing, ...refused, ...misfitErrors(parts, misfits)] }
}

interface Message {
	/** Components of the template; empty while no template is chosen. */
	components: readonly Component[]
	/** Values of the variables, with merge tags in the audience's spelling. */
	variables: Variables
}

/** Measures contacts for a message, all by one statement. */
export async function measureAudience(
	sql: Sql,
	accountId: AccountId,
	{
		audience,
		components,
		variables,
		customColumns,
	}: Message & { audience: queries.Audience; customColumns: CustomColumns },
): Promise<Reach> {
	const used = new Set(mergeTags(variables))
	// A tag that no contact has is refused by its text.
	const tags = contactTags(customColumns).filter((known) => used.has(known))
	const parts = openParts(components, variables)
	const { unfit, misfits, ...counts } = await queries.countAudience(sql, accountId, {
		audience,
		tags,
		customColumns,
		parts,
	})
	return { ...counts, ...valueFaults({ variables, tags, unfit, parts, misfits }) }
}

/** Measures a list of recipients for a message; their values are in the order of the message's merge tags. */
export async function measureList(
	sql: Sql,
	accountId: AccountId,
	{ recipients, ...asked }: Message & queries.LeavingOut & { recipients: readonly queries.Recipient[] },
): Promise<Reach> {
	const { components, variables } = asked
	const out = await findLeftOut(sql, accountId, { ...asked, numbers: recipients.map(({ number }) => number) })
	const tags = mergeTags(variables)
	const parts = openParts(components, variables)
	const addressed = recipients.filter(({ number }) => !isLeftOut(number, out))
	const unfit = tags.map((_, at) => ({ empty: addressed.filter(({ values }) => !values[at]).length, refused: 0 }))
	const misfits = parts.map(
		(part) => addressed.filter(({ values }) => !fits(part, (tag) => values[tags.indexOf(tag)] ?? null)).length,
	)
	const counts = { contacts: recipients.length, optedOut: out.optedOut.size, capped: out.capped.size }
	return { ...counts, ...valueFaults({ variables, tags, unfit, parts, misfits }) }
}
