import type { Sql } from '#lib/server/db.ts'
import { listEpochsAllAccounts, type Epoch } from './epoch-queries.ts'

/**
 * What tells our ids of one history of the database from the same ids of another: after a backup was restored, a late report
 * must not be taken for one about a campaign that has got the id of a lost one.
 */
export interface Epochs {
	/** Our id of a message as it is sent. */
	mark(id: string): string
	/** Every form in which this id may have been sent, the present one first; of one that a restored backup lost, no earlier form. */
	marksOf(id: string): string[]
	/** Our id as `mark` got it; empty where the text is no id of ours, or of a message that this database does not know. */
	unmark(data: string): string
	/** When a backup was restored the last time; null if never. */
	restoredAt: Date | null
}

/** An earlier release sent ids without an epoch, before that some with a number of attempts. */
const MARKED = /^(campaign:(\d{1,15}):\d{1,9}|chat:(\d{1,15}))(?::\d{1,2}|:([0-9a-z]{8}))?$/

export async function readEpochs(sql: Sql): Promise<Epochs> {
	return epochsOf(await listEpochsAllAccounts(sql))
}

/** The latest epoch is the last one. */
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

/** Of a database that was never restored, and whose ids name no epoch. */
export const UNMARKED = epochsOf([
	{ epoch: '', openedAt: new Date(0), isRestored: false, lastCampaignId: null, lastChatMessageId: null },
])
