import { readNumberPart } from '../numbers.ts'

/** `numberPart`: digits to find within numbers, when the text can be read as part of one. */
export interface ContactFilter {
	search: string
	numberPart: string | null
	groupId: number | null
	tagId: number | null
}

interface Wanted {
	search: string
	group?: string | undefined
	tag?: string | undefined
}

/** What a list is narrowed down by, as its query says it. */
export function filterOf({ search, group, tag }: Wanted): ContactFilter {
	return {
		search,
		numberPart: readNumberPart(search),
		groupId: group ? Number(group) : null,
		tagId: tag ? Number(tag) : null,
	}
}
