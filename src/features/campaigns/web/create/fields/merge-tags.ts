import { createContext, use } from 'react'
import { STANDARD_TAGS } from './campaign-fields.ts'

const MergeTagsContext = createContext(STANDARD_TAGS)

/** Tells the inputs of a form which merge tags its audience has: those of contacts, or the columns of a file. */
export const MergeTagsProvider = MergeTagsContext.Provider

export function useMergeTags(): readonly string[] {
	return use(MergeTagsContext)
}
