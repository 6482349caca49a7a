import { withCountryCode, type TemplateProblem } from './button-rules.ts'
import { variablesIn } from './placeholders.ts'
import type { TemplateDraft } from './rules.ts'

/** Words that Meta takes for advertising, matched as whole words in any case. */
const PROMOTION_WORDS =
	/\b(?:offers?|sale|discount(?:s|ed)?|deals?|coupons?|promo(?:tion|tions|tional)?|voucher|cashback|buy now|shop now|order now|limited time|hurry|exclusive|free gift|special price|save up to|lucky draw|giveaway)\b|\d{1,4} ?% (?:off|discount)/i

const SHORT_LINK =
	/\b(?:bit\.ly|tinyurl\.com|goo\.gl|t\.co|is\.gd|ow\.ly|cutt\.ly|rb\.gy|shorturl\.at|rebrand\.ly|tiny\.cc|t\.ly|buff\.ly|wa\.me)\/\S/i

/**
 * Minimum words per variable of a body, plus one for the body: Meta usually rejects fewer. Meta does not document its
 * exact measure.
 */
const MIN_WORDS_PER_VARIABLE = 2

/**
 * Returns hints about content that Meta usually rejects or moves to another category. Hints do not block sending the
 * template.
 */
export function templateHints(draft: TemplateDraft): TemplateProblem[] {
	if (draft.category === 'AUTHENTICATION') return []
	const header = draft.header_type === 'TEXT' ? (draft.header_text ?? '') : ''
	const texts = { header_text: header, body_text: draft.body_text, footer_text: draft.footer_text ?? '' }
	return [
		...Object.entries(texts).flatMap(([field, text]) => [
			...promotionHint(draft.category, { field, text }),
			...(SHORT_LINK.test(text) ? [{ field, message: SHORTENED }] : []),
		]),
		...bodyHints(draft.body_text),
		...buttonHints(draft.buttons),
		...(draft.cards ?? []).flatMap((card, index) =>
			[
				...(SHORT_LINK.test(card.body_text) ? [{ field: 'body_text', message: SHORTENED }] : []),
				...bodyHints(card.body_text),
				...buttonHints(card.buttons),
			].map(({ field, message }) => ({ field: `cards.${index}.${field}`, message })),
		),
	]
}

function buttonHints(buttons: TemplateDraft['buttons']): TemplateProblem[] {
	return [
		...buttons.flatMap((button, index) =>
			SHORT_LINK.test(button.url ?? '') ? [{ field: `buttons.${index}.url`, message: SHORTENED }] : [],
		),
		...buttons.flatMap((button, index) => phoneHint(button, `buttons.${index}.phone_number`)),
	]
}

const SHORTENED = 'WhatsApp usually rejects shortened links. Use the full address of your own website.'

/**
 * Returns a hint for a phone number without a plus that starts with a dialling prefix: +91 is added in front, and the prefix
 * stays.
 */
function phoneHint({ type, phone_number = '' }: TemplateDraft['buttons'][number], field: string): TemplateProblem[] {
	const local = /^(?:91|0)(\d{10})$/.exec(withCountryCode(phone_number).slice('+91'.length))?.[1]
	if (type !== 'PHONE_NUMBER' || phone_number.trim().startsWith('+') || local === undefined) return []
	return [{ field, message: `Customers would call ${withCountryCode(phone_number)}. Did you mean +91${local}?` }]
}

function promotionHint(category: string, { field, text }: { field: string; text: string }): TemplateProblem[] {
	const word = category === 'UTILITY' ? PROMOTION_WORDS.exec(text)?.[0] : undefined
	if (word === undefined) return []
	return [
		{ field, message: `“${word}” reads as advertising: WhatsApp may move this template to MARKETING, at its price` },
	]
}

/** Returns the variable of a line without other words; null otherwise. */
function loneVariable(line: string): string | null {
	const variable = /\{\{\s*(\w+)\s*\}\}/.exec(line)
	if (!variable || /[\p{L}\p{N}]/u.test(line.replace(variable[0], ''))) return null
	return variable[1] ?? null
}

function bodyHints(body: string): TemplateProblem[] {
	const variables = variablesIn(body)
	const words = body.replace(/\{\{[^{}]*\}\}/g, ' ').match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}'’-]*/gu)?.length ?? 0
	const isThin = variables.length > 0 && words < MIN_WORDS_PER_VARIABLE * variables.length + 1
	const [floating] = body.split('\n').flatMap((line) => loneVariable(line) ?? [])
	return [
		...(isThin
			? [
					{
						field: 'body_text',
						message: 'WhatsApp usually rejects a text with so few words for its variables. Add words.',
					},
				]
			: []),
		...(floating === undefined
			? []
			: [
					{
						field: 'body_text',
						message: `{{${floating}}} stands alone on its line. Say what it is: “Order number: {{${floating}}}”.`,
					},
				]),
	]
}
