import type { Links } from '#features/templates/server/links.ts'
import type { Db, AccountId } from '#lib/server/db.ts'
import { nameInKey } from '#lib/server/files/file-name.ts'
import type { SendingCampaign } from '../claims/sending-state-queries.ts'
import type { RestoreGenerations } from '../message/message-id.ts'
import { createRenderer, type RenderedMessage } from '../message/render.ts'
import type { TemplateCategory } from '../template-route/template-route-queries.ts'
import { getSendingPlan } from './plan-queries.ts'

/** The renderers of campaigns, each prepared once. */
export interface RendererCache {
	/**
	 * Prepares a campaign's renderer, again after its header file has changed. Must resolve before a message is rendered.
	 */
	prepare(campaign: Pick<SendingCampaign, 'id' | 'mediaId'>): Promise<void>
	/** Removes the renderers of all other campaigns. */
	keep(campaignIds: ReadonlySet<number>): void
	/** Returns the body of the request. `extra` are members besides those of the template. */
	render(message: RenderedMessage & { campaignId: number }, extra?: object): string
	/** Returns the template of a prepared campaign. */
	templateOf(campaignId: number): TemplateCategory
	/** Returns the names of the prepared campaigns' templates. */
	templateNames(): string[]
}

interface Prepared {
	mediaId: string | null
	template: TemplateCategory
	render: (message: RenderedMessage, extra?: object) => string
}

export function createRendererCache(
	{ db, ...marks }: { db: Db; restoreGenerations: RestoreGenerations; links: Links },
	accountId: AccountId,
): RendererCache {
	const renderers = new Map<number, Prepared>()
	const preparedOf = (campaignId: number): Prepared => {
		const prepared = renderers.get(campaignId)
		if (!prepared) throw new Error(`campaign ${campaignId} is not prepared`)
		return prepared
	}
	return {
		async prepare({ id, mediaId }) {
			if (renderers.get(id)?.mediaId === mediaId) return
			const plan = await getSendingPlan(db, accountId, id)
			const headerFilename = plan.headerFile && nameInKey(plan.headerFile)
			const render = createRenderer({ ...plan, ...marks, account: accountId, campaignId: id, headerFilename })
			const { name, language } = plan.template
			renderers.set(id, { mediaId: plan.mediaId, template: { name, language, category: plan.category }, render })
		},
		keep(campaignIds) {
			for (const id of renderers.keys()) if (!campaignIds.has(id)) renderers.delete(id)
		},
		render: (message, extra) => preparedOf(message.campaignId).render(message, extra),
		templateOf: (campaignId) => preparedOf(campaignId).template,
		templateNames: () => [...new Set(Array.from(renderers.values(), ({ template }) => template.name))],
	}
}
