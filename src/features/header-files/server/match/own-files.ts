import type { Reach } from '#features/audiences/server/recipients/audience-queries.ts'
import type { Recipients, RecipientSource } from '#features/audiences/server/recipients/recipient-sources.ts'
import type { FileChoice, FileMatch } from '#features/header-files/match-contract.ts'
import { problem } from '#features/header-files/problems.ts'
import { MAX_FILES } from '#features/header-files/rules.ts'
import type { Component } from '#features/templates/contract.ts'
import { FILE_TAG } from '#features/templates/server/message-file.ts'
import { mediaPlacesOf } from '#features/templates/values.ts'
import { notFound } from '#lib/problems.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { findSet, lockSet } from '../sets/set-queries.ts'
import { matchRows, MAX_ADDRESSES, NO_MATCH, rowsWithFiles, type FileRule } from './match-queries.ts'

/** People of each state that a match names. */
const SAMPLED = 20

/** The reach of an order, with the files of its people. */
export type MatchedReach<R extends Reach = Reach> = R & {
	files?: FileMatch
	/** People who get no message since they have no file. */
	withoutFile?: number
}

/** A rule with the tag whose value names the file; null when the number does. */
export interface OwnFiles extends FileRule {
	tag: string | null
	/** Number of files in the set. */
	files: number
}

/**
 * Returns the rule of an order's choice. Throws a 404 for a set that is gone, and a 400 for one of another kind than the
 * template's header, or without a column of file names.
 */
export async function readOwnFiles(
	sql: Sql,
	accountId: AccountId,
	{ choice, components, tags }: { choice: FileChoice; components: readonly Component[]; tags: readonly string[] },
): Promise<OwnFiles> {
	const { set: id, by, missing } = choice
	const set = await findSet(sql, accountId, id)
	if (!set) throw notFound('File set')
	if (mediaPlacesOf(components).find(({ card }) => card === null)?.kind !== set.kind)
		throw problem('files_of_other_kind', { kind: set.kind })
	const tag = by === 'column' ? tags.find((known) => known.toLowerCase() === choice.tag?.trim().toLowerCase()) : null
	if (tag === undefined) throw problem('file_column_missing')
	return { setId: set.id, by, missing, tag, files: set.files }
}

/** Returns the recipients of a source, each with the id of the own file as the value of `FILE_TAG`, which is the last tag. */
export function toOwnFiles<R extends Reach>(
	source: RecipientSource<R>,
	rule: OwnFiles,
): RecipientSource<MatchedReach<R>> {
	return {
		isLive: source.isLive,
		async open(sql, accountId, { mergeTags, isLocked }) {
			if (isLocked && !(await lockSet(sql, accountId, rule.setId))) throw notFound('File set')
			const kept = mergeTags.filter((tag) => tag !== FILE_TAG)
			const asked = rule.tag === null ? kept : [...kept, rule.tag]
			const inner = await source.open(sql, accountId, { mergeTags: asked, isLocked })
			return withFiles(inner, { rule, kept: kept.length, asked })
		},
	}
}

function withFiles<R extends Reach>(
	inner: Recipients<R>,
	{ rule, kept, asked }: { rule: OwnFiles; kept: number; asked: readonly string[] },
): Recipients<MatchedReach<R>> {
	return {
		async measure(sql, accountId, given) {
			const reach = await inner.measure(sql, accountId, given)
			const sums = { ...NO_MATCH }
			const found = new Set<string>()
			const rows: FileMatch['rows'] = []
			const addresses = new Set<string>()
			const unfetched = new Set<string>()
			for await (const batch of inner.select(sql, accountId, { ...given, mergeTags: asked })) {
				const match = await matchRows(sql, accountId, { rows: batch.rows, kept, rule, sampled: SAMPLED })
				for (const name of Object.keys(sums) as (keyof typeof sums)[]) sums[name] += match[name]
				addAll(addresses, { of: match.addresses, limit: MAX_ADDRESSES })
				addAll(unfetched, { of: match.unfetched, limit: MAX_FILES })
				for (const id of match.files) found.add(id)
				for (const row of match.rows) if (countOf(rows, row.state) < SAMPLED) rows.push(row)
			}
			const missing = sums.people - sums.matched
			const files = {
				...sums,
				missing,
				shared: sums.matched - found.size,
				unused: Math.max(0, rule.files - found.size),
				unfetched: unfetched.size,
				addresses: [...addresses],
				rows,
			}
			return { ...reach, files, withoutFile: rule.missing === 'leave-out' ? missing : 0 }
		},
		async *select(sql, accountId, given) {
			for await (const batch of inner.select(sql, accountId, { ...given, mergeTags: asked }))
				yield { ...batch, rows: rowsWithFiles(sql, accountId, { rows: batch.rows, kept, rule }) }
		},
	}
}

function addAll(set: Set<string>, { of, limit }: { of: readonly string[]; limit: number }): void {
	for (const each of of) if (set.size < limit) set.add(each)
}

function countOf(rows: FileMatch['rows'], state: string): number {
	return rows.reduce((sum, row) => sum + (row.state === state ? 1 : 0), 0)
}
