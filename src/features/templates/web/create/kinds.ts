import type { TemplateButton, TemplateKind } from '#features/templates/contract.ts'
import { newButton, type CardFields, type TemplateFields } from './template-fields.ts'

/** Types of buttons that a card can have. */
export type CardButtonType = Extract<TemplateButton['type'], 'URL' | 'QUICK_REPLY' | 'PHONE_NUMBER'>

/** Returns a card without texts, with the buttons of `like`: their types and labels, which cards often share. */
export function newCard(
	key: string,
	like: Pick<CardFields, 'buttons'> = { buttons: [newButton('URL', 'first')] },
): CardFields {
	const buttons = like.buttons.map(({ type, text, count_clicks }, index) => ({
		...newButton(type, `${key}-${index}`),
		text,
		count_clicks,
	}))
	return { key, body_text: '', body_examples: [], buttons, file_of_card: 0 }
}

/** Returns the cards with these types of buttons, in this order. Buttons keep their texts where they can. */
export function withButtons(cards: readonly CardFields[], types: readonly TemplateButton['type'][]): CardFields[] {
	return cards.map((card) => ({
		...card,
		buttons: types.map((type, index) => {
			const before = card.buttons[index]
			return before ? { ...before, type } : newButton(type, `${card.key}-${index}`)
		}),
	}))
}

/** Returns the fields that change with the kind of a template. Texts that the new kind does not use stay in the form. */
export function changedKind(fields: TemplateFields, kind: TemplateKind, key: string): Partial<TemplateFields> {
	// The file of a copied template belongs to its kind.
	const change = { kind, header_from: '' }
	if (kind === 'CAROUSEL' && fields.cards.length === 0)
		return { ...change, cards: [newCard(`${key}-1`), newCard(`${key}-2`)] }
	if (kind !== 'LIMITED_TIME_OFFER') return change
	const buttonOf = (type: TemplateButton['type']) =>
		fields.buttons.find((button) => button.type === type) ?? newButton(type, `${key}-${type}`)
	const hasPicture = fields.header_type === 'IMAGE' || fields.header_type === 'VIDEO'
	return {
		...change,
		header_type: hasPicture ? fields.header_type : 'NONE',
		buttons: [buttonOf('COPY_CODE'), buttonOf('URL')],
	}
}
