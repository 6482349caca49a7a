import type { Sql } from '#lib/server/db.ts'
import type { RestoreGenerations } from './message-id.ts'
import { listRestoreGenerationsAllAccounts, type RestoreGeneration } from './restore-generation-queries.ts'

/**
 * A message id with its mark. Earlier releases sent ids without a mark; still earlier ones added a number of attempts.
 */
const MARKED = /^(campaign:(\d{1,15}):\d{1,9}|chat:(\d{1,15}))(?::\d{1,2}|:([0-9a-z]{8}))?$/

export async function readRestoreGenerations(sql: Sql): Promise<RestoreGenerations> {
	return restoreGenerationsOf(await listRestoreGenerationsAllAccounts(sql))
}

/** Builds the marks from the restore generations; the last one is the current generation. */
export function restoreGenerationsOf(restoreGenerations: readonly RestoreGeneration[]): RestoreGenerations {
	const known = new Map(restoreGenerations.map((each) => [each.generation, each]))
	const current = restoreGenerations.at(-1)?.generation ?? ''
	const mark = (id: string, generation = current) => (generation === '' ? id : `${id}:${generation}`)
	const unmark = (data: string) => {
		const [, id = '', campaignId, chatMessageId, generation = ''] = MARKED.exec(data) ?? []
		const of = known.get(generation)
		if (!of) return ''
		const isKnown =
			campaignId === undefined
				? Number(chatMessageId) <= (of.lastChatMessageId ?? Infinity)
				: Number(campaignId) <= (of.lastCampaignId ?? Infinity)
		return isKnown ? id : ''
	}
	return {
		mark: (id) => mark(id),
		marksOf: (id) =>
			restoreGenerations
				.toReversed()
				.flatMap(({ generation }) => (unmark(mark(id, generation)) ? [mark(id, generation)] : [])),
		unmark,
		restoredAt: restoreGenerations.findLast(({ isRestored }) => isRestored)?.openedAt ?? null,
	}
}

/** The marks of a database that was never restored. */
export const UNMARKED = restoreGenerationsOf([
	{ generation: '', openedAt: new Date(0), isRestored: false, lastCampaignId: null, lastChatMessageId: null },
])
