import type { Component } from '#features/templates/contract.ts'
import type { Links } from '#features/templates/server/links.ts'
import { FILE_TAG } from '#features/templates/server/message-file.ts'
import { createMessageComponents, type MessagePlan } from '#features/templates/server/message/components.ts'
import { callbackData, type RestoreGenerations } from './message-id.ts'
import { requestBody } from './send.ts'

/** The frozen template, variables and header from which a campaign's messages are rendered. */
export interface RenderPlan extends Omit<MessagePlan, 'components'> {
	account: number
	campaignId: number
	template: { name: string; language: string; components: Component[] }
	/** The order of each message's merge values. */
	mergeTags: string[]
	restoreGenerations: Pick<RestoreGenerations, 'mark'>
	links: Pick<Links, 'tokenOf'>
}

export interface RenderedMessage {
	seq: number
	number: string
	mergeValues: (string | null)[] | null
}

/**
 * Returns a function that renders one message. The preparation is done once per campaign, so a message costs little more than
 * one JSON.stringify. `extra` are members of the request besides the template. Throws `OfferEnded` once the offer of the template has
 * ended.
 */
export function createRenderer(plan: RenderPlan): (message: RenderedMessage, extra?: object) => string {
	const tagIndex = new Map(plan.mergeTags.map((tag, index) => [tag, index]))
	const { name, language, components } = plan.template
	const template = { name, language: { code: language, policy: 'deterministic' } }
	const makeComponents = createMessageComponents({ ...plan, components, hasOwnFiles: tagIndex.has(FILE_TAG) })

	return (message, extra) => {
		const { account, campaignId } = plan
		const parts = makeComponents({
			find: (tag) => message.mergeValues?.[tagIndex.get(tag) ?? -1] ?? null,
			tokenOf: (button) => plan.links.tokenOf({ account, campaignId, seq: message.seq, button }),
		})
		return requestBody({
			to: message.number,
			part: { type: 'template', template: parts.length > 0 ? { ...template, components: parts } : template, ...extra },
			id: plan.restoreGenerations.mark(callbackData({ campaignId: plan.campaignId, seq: message.seq })),
		})
	}
}
