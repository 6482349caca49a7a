import type { Component } from '#features/templates/contract.ts'
import { countedTarget } from '#features/templates/counted-link.ts'
import { linkBase, linkEnd } from '#features/templates/filled.ts'
import type { Links } from '#features/templates/server/links.ts'
import {
	fillValue,
	findComponent,
	parseValue,
	slotsOf,
	type Piece,
	type Slot,
	type Variables,
} from '#features/templates/values.ts'
import { callbackData, type RestoreGenerations } from './message-id.ts'
import { requestBody } from './send.ts'

/** The frozen template, variables and header from which a campaign's messages are rendered. */
export interface RenderPlan {
	account: number
	campaignId: number
	template: { name: string; language: string; components: Component[] }
	variables: Variables
	/** The order of each message's merge values. */
	mergeTags: string[]
	/** Meta's id of the header file; null for a template without one. */
	mediaId: string | null
	headerFilename: string | null
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
 * one JSON.stringify. `extra` are members of the request besides the template.
 */
export function createRenderer(plan: RenderPlan): (message: RenderedMessage, extra?: object) => string {
	const slots = slotsOf(plan.template.components).map((slot) => ({
		slot,
		pieces: parseValue(plan.variables[slot.key] ?? ''),
		base: slot.fills === 'url' ? linkBase(plan.template.components, slot) : null,
	}))
	const tagIndex = new Map(plan.mergeTags.map((tag, index) => [tag, index]))
	const { name, language, components } = plan.template
	const buttons = findComponent(components, 'BUTTONS')?.buttons ?? []
	const counted = [...buttons.keys()].filter((at) => buttons[at] && countedTarget(buttons[at]) !== null)
	const template = { name, language: { code: language, policy: 'deterministic' } }
	const header = mediaHeader(plan)
	const isFixed = slots.every(({ pieces }) => pieces.every((piece) => 'text' in piece))
	const build = (find: (tag: string) => string | null) => [...(header ? [header] : []), ...textComponents(slots, find)]
	const fixed = isFixed ? build(() => null) : null

	return (message, extra) => {
		const find = (tag: string) => message.mergeValues?.[tagIndex.get(tag) ?? -1] ?? null
		const { account, campaignId } = plan
		const links = counted.map((button) =>
			buttonComponent({ index: button }, plan.links.tokenOf({ account, campaignId, seq: message.seq, button })),
		)
		const parts = [...(fixed ?? build(find)), ...links]
		return requestBody({
			to: message.number,
			part: { type: 'template', template: parts.length > 0 ? { ...template, components: parts } : template, ...extra },
			id: plan.restoreGenerations.mark(callbackData({ campaignId: plan.campaignId, seq: message.seq })),
		})
	}
}

function mediaHeader(plan: RenderPlan): object | null {
	const format = findComponent(plan.template.components, 'HEADER')?.format?.toLowerCase()
	if (!plan.mediaId || !format || !['image', 'video', 'document'].includes(format)) return null
	const media = { id: plan.mediaId, ...(format === 'document' && { filename: plan.headerFilename ?? 'document.pdf' }) }
	return { type: 'header', parameters: [{ type: format, [format]: media }] }
}

interface FilledSlot {
	slot: Slot
	pieces: Piece[]
	/** The fixed address before the variable end of a link; null for other slots. */
	base: string | null
}

function textComponents(slots: FilledSlot[], find: (tag: string) => string | null): object[] {
	const parameters = (place: Slot['place']) =>
		slots
			.filter(({ slot }) => slot.place === place)
			.map(({ slot, pieces }) => ({
				type: 'text',
				...(slot.name !== undefined && { parameter_name: slot.name }),
				text: fillValue(pieces, find),
			}))
	const header = parameters('header')
	const body = parameters('body')
	const buttons = slots.filter(({ slot }) => slot.place === 'button')
	return [
		...(header.length > 0 ? [{ type: 'header', parameters: header }] : []),
		...(body.length > 0 ? [{ type: 'body', parameters: body }] : []),
		...buttons.map(({ slot, pieces, base }) => buttonComponent(slot, endOf(base, fillValue(pieces, find)))),
	]
}

/** Returns the end of a link without a repeated base. A value with another base is returned unchanged; WhatsApp refuses it. */
function endOf(base: string | null, value: string): string {
	return base === null ? value : (linkEnd(base, value) ?? value)
}

function buttonComponent({ index, fills }: Pick<Slot, 'index' | 'fills'>, value: string): object {
	const isCode = fills === 'code'
	return {
		type: 'button',
		sub_type: isCode ? 'copy_code' : 'url',
		index: String(index),
		parameters: [isCode ? { type: 'coupon_code', coupon_code: value } : { type: 'text', text: value }],
	}
}
