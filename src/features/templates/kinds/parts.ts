import type { Component } from '../contract.ts'
import { isMediaHeader, type MediaHeader } from '../limits.ts'

/** The components of a template itself (`card` is null), or of one of its cards (from 0). */
export interface TemplatePart {
	card: number | null
	components: readonly Component[]
}

export function findComponent(components: readonly Component[], type: string): Component | undefined {
	return components.find((component) => component.type.toUpperCase() === type)
}

/** Returns the components of each card of a carousel, in order; none for another template. */
export function cardsOf(components: readonly Component[]): (readonly Component[])[] {
	return (findComponent(components, 'CAROUSEL')?.cards ?? []).map((card) => card.components as Component[])
}

/** Returns the parts of a template that have header, body and buttons of their own: the template, then its cards. */
export function partsOf(components: readonly Component[]): TemplatePart[] {
	return [
		{ card: null, components },
		...cardsOf(components).map((cardComponents, card) => ({ card, components: cardComponents })),
	]
}

/** Returns the components of one part: of the template itself without a card, or for null. */
export function componentsIn(
	components: readonly Component[],
	{ card }: { card?: number | null | undefined },
): readonly Component[] {
	return card === undefined || card === null ? components : (cardsOf(components)[card] ?? [])
}

/** Returns the components with `change` applied to those of the template and to those of each card. */
export function mapParts(
	components: readonly Component[],
	change: (component: Component, card: number | null) => Component,
): Component[] {
	return components.map((component) => {
		const changed = change(component, null)
		if (!changed.cards) return changed
		const cards = changed.cards.map((one, card) => ({
			...one,
			components: one.components.map((each) => change(each as Component, card)),
		}))
		return { ...changed, cards }
	})
}

/** A header that is a file: of the template itself (`card` is null), or of one of its cards (from 0). */
export interface MediaPlace {
	card: number | null
	kind: MediaHeader
}

/** Returns the headers that are files, in the order in which a template and a campaign hold their files. */
export function mediaPlacesOf(components: readonly Component[]): MediaPlace[] {
	return partsOf(components).flatMap(({ card, components: part }) => {
		const kind = findComponent(part, 'HEADER')?.format?.toUpperCase() ?? ''
		return isMediaHeader(kind) ? [{ card, kind }] : []
	})
}
