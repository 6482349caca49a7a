/** Languages of the ready texts. */
export const READY_LANGUAGES = { en: 'English', hi: 'हिन्दी' } as const
export type ReadyLanguage = keyof typeof READY_LANGUAGES

/** Groups of the gallery, in their order. */
export const READY_GROUPS = {
	festival: 'Festivals',
	shop: 'Offers and stock',
	order: 'Orders and bills',
	service: 'Appointments and classes',
	thanks: 'Thanks and reviews',
} as const
type ReadyGroup = keyof typeof READY_GROUPS

/** One language of a ready text. */
export interface ReadyVersion {
	title: string
	body: string
	/** Example of each variable of the body, in order. */
	examples: readonly string[]
	/** Texts of the buttons: first the website, whose address the user adds, then the quick replies. */
	website?: string
	replies?: readonly string[]
}

/** A text that a new template can start from. */
export interface ReadyText {
	/** Name of the template before its year. */
	key: string
	group: ReadyGroup
	category: 'MARKETING' | 'UTILITY'
	versions: Record<ReadyLanguage, ReadyVersion>
}

/** Returns a ready text with its English and Hindi versions. */
export function ready(
	place: Pick<ReadyText, 'key' | 'group' | 'category'>,
	en: ReadyVersion,
	hi: ReadyVersion,
): ReadyText {
	return { ...place, versions: { en, hi } }
}
