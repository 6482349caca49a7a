import type { Links } from '#features/templates/server/links.ts'
import type { Db, AccountId } from '#lib/server/db.ts'
import { nameInKey } from '#lib/server/files/file-name.ts'
import type { SendingCampaign } from '../claims/claim-queries.ts'
import type { RestoreGenerations } from '../message/message-id.ts'
import { createRenderer, type RenderedMessage } from '../message/render.ts'
import { getSendingPlan } from './plan-queries.ts'

/** The renderers of campaigns, each prepared once. */
export interface RendererCache {
	/**
	 * Prepares a campaign's renderer, again after its header file has changed. Must resolve before a message is rendered.
	 */
	prepare(campaign: Pick<SendingCampaign, 'id' | 'mediaId'>): Promise<void>
	/** Removes the renderers of all other campaigns. */
	keep(campaignIds: ReadonlySet<number>): void
	/** Returns the body of the request. */
	render(message: RenderedMessage & { campaignId: number }): string
}

export function createRendererCache(
	{ db, ...marks }: { db: Db; restoreGenerations: RestoreGenerations; links: Links },
	accountId: AccountId,
): RendererCache {
	const renderers = new Map<number, { mediaId: string | null; render: (message: RenderedMessage) => string }>()
	return {
		async prepare({ id, mediaId }) {
			if (renderers.get(id)?.mediaId === mediaId) return
			const plan = await getSendingPlan(db, accountId, id)
			const headerFilename = plan.headerFile && nameInKey(plan.headerFile)
			const render = createRenderer({ ...plan, ...marks, account: accountId, campaignId: id, headerFilename })
			renderers.set(id, { mediaId: plan.mediaId, render })
		},
		keep(campaignIds) {
			for (const id of renderers.keys()) if (!campaignIds.has(id)) renderers.delete(id)
		},
		render(message) {
			const renderer = renderers.get(message.campaignId)
			if (!renderer) throw new Error(`campaign ${message.campaignId} is not prepared`)
			return renderer.render(message)
		},
	}
}
