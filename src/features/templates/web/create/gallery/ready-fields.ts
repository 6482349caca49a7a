import { EMPTY_TEMPLATE, newButton, type ButtonFields, type TemplateFields } from '../template-fields.ts'
import { FESTIVAL_TEXTS } from './festival-texts.ts'
import type { ReadyLanguage, ReadyText, ReadyVersion } from './ready-text.ts'
import { ORDER_TEXTS, SERVICE_TEXTS } from './service-texts.ts'
import { SHOP_TEXTS, THANKS_TEXTS } from './trade-texts.ts'

/** The ready texts of the gallery, by group. */
export const READY_TEXTS: readonly ReadyText[] = [
	...FESTIVAL_TEXTS,
	...SHOP_TEXTS,
	...ORDER_TEXTS,
	...SERVICE_TEXTS,
	...THANKS_TEXTS,
]

/** Footer of advertisements, which names the word that opts a customer out. */
const OPT_OUT: Record<ReadyLanguage, string> = {
	en: 'Reply STOP to get no more offers',
	hi: 'ऑफ़र बंद करने के लिए STOP लिखें',
}

/** Returns the form's fields for a ready text in a language. The year in the name keeps next year's template apart. */
export function readyFields(text: ReadyText, language: ReadyLanguage, year: number): TemplateFields {
	const version = text.versions[language]
	return {
		...EMPTY_TEMPLATE,
		name: `${text.key}_${year}`,
		category: text.category,
		language,
		body_text: version.body,
		body_examples: [...version.examples],
		footer_text: text.category === 'MARKETING' ? OPT_OUT[language] : '',
		buttons: buttonsOf(version),
	}
}

function buttonsOf({ website, replies = [] }: ReadyVersion): ButtonFields[] {
	const link = website === undefined ? [] : [{ ...newButton('URL', 'ready-website'), text: website }]
	return [...link, ...replies.map((text, index) => ({ ...newButton('QUICK_REPLY', `ready-${index}`), text }))]
}
