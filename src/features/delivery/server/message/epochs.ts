import type { Sql } from '#lib/server/db.ts'
import { listEpochsAllAccounts, type Epoch } from './epoch-queries.ts'

/**
 * Marks message ids with the restore generation. After a restore, a late status update about a lost campaign must not match a
 * new campaign with the same id.
 */
export interface Epochs {
	/** Returns the id as it is sent to Meta. */
	mark(id: string): string
	/**
	 * Returns all forms in which Meta may know this id, the current one first. An id that the restored backup lost has no
	 * earlier form.
	 */
	marksOf(id: string): string[]
	/** Returns the id without its mark; empty for a foreign id, and for an id of a message that a restore lost. */
	unmark(data: string): string
	/** Time of the latest restore; null if there was none. */
	restoredAt: Date | null
}

/**
 * A message id with its mark. Earlier releases sent ids without a mark; still earlier ones added a number of attempts.
 */
const MARKED = /^(campaign:(\d{1,15}):\d{1,9}|chat:(\d{1,15}))(?::\d{1,2}|:([0-9a-z]{8}))?$/

export async function readEpochs(sql: Sql): Promise<Epochs> {
	return epochsOf(await listEpochsAllAccounts(sql))
}

/** Builds the marks from the restore generations; the last one is the current generation. */
export function epochsOf(epochs: readonly Epoch[]): Epochs {
	const known = new Map(epochs.map((each) => [each.epoch, each]))
	const current = epochs.at(-1)?.epoch ?? ''
	const mark = (id: string, epoch = current) => (epoch === '' ? id : `${id}:${epoch}`)
	const unmark = (data: string) => {
		const [, id = '', campaignId, chatMessageId, epoch = ''] = MARKED.exec(data) ?? []
		const of = known.get(epoch)
		if (!of) return ''
		const isKnown =
			campaignId === undefined
				? Number(chatMessageId) <= (of.lastChatMessageId ?? Infinity)
				: Number(campaignId) <= (of.lastCampaignId ?? Infinity)
		return isKnown ? id : ''
	}
	return {
		mark: (id) => mark(id),
		marksOf: (id) => epochs.toReversed().flatMap(({ epoch }) => (unmark(mark(id, epoch)) ? [mark(id, epoch)] : [])),
		unmark,
		restoredAt: epochs.findLast(({ isRestored }) => isRestored)?.openedAt ?? null,
	}
}

/** The marks of a database that was never restored. */
export const UNMARKED = epochsOf([
	{ epoch: '', openedAt: new Date(0), isRestored: false, lastCampaignId: null, lastChatMessageId: null },
])
