import type { Db, OwnerId } from '#lib/server/db.ts'
import { getSendingPlan } from './claim-queries.ts'
import { createRenderer, type RenderedMessage } from './render.ts'

/** Each campaign's renderer, prepared once. */
export interface RendererCache {
	/** Must have resolved before a message of the campaign is rendered. */
	prepare(campaignId: number): Promise<void>
	/** Forgets campaigns that are not being sent: one that is opened again may have another file. */
	keep(campaignIds: ReadonlySet<number>): void
	/** The request's body. */
	render(message: RenderedMessage & { campaignId: number }): string
}

export function createRendererCache(db: Db, owner: OwnerId): RendererCache {
	const renderers = new Map<number, (message: RenderedMessage) => string>()
	return {
		async prepare(campaignId) {
			if (renderers.has(campaignId)) return
			const plan = await getSendingPlan(db, owner, campaignId)
			const headerFilename = plan.headerFile?.split('/').at(-1) ?? null
			renderers.set(campaignId, createRenderer({ ...plan, campaignId, headerFilename }))
		},
		keep(campaignIds) {
			for (const id of renderers.keys()) if (!campaignIds.has(id)) renderers.delete(id)
		},
		render(message) {
			const render = renderers.get(message.campaignId)
			if (!render) throw new Error(`campaign ${message.campaignId} is not prepared`)
			return render(message)
		},
	}
}
