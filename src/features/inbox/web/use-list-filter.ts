import { CHAT_VIEWS, type ChatView } from '#features/inbox/rules.ts'
import { readId } from '#lib/fields.ts'
import { useSearchParams } from '#lib/web/router/hooks.ts'
import { withParams } from '#lib/web/ui/state/with-params.ts'

/** Filter of the list of chats, in addition to its search. */
export interface ListFilter {
	/** Undefined for all. */
	view: ChatView | undefined
	/** Id of a tag; undefined for all. */
	tag: string | undefined
	/** Id of a campaign; undefined for all. */
	campaign: string | undefined
}

/** Returns true for a filter with a view, a tag or a campaign. */
export const isNarrowed = ({ view, tag, campaign }: ListFilter) => Boolean(view ?? tag ?? campaign)

/** Returns the filter that the URL names, such as `?view=mine&tag=3`, and the function that changes a part of it. */
export function useListFilter(): [filter: ListFilter, change: (part: keyof ListFilter, text: string | null) => void] {
	const [search, setSearch] = useSearchParams()
	const filter = {
		view: CHAT_VIEWS.find((view) => view === search.get('view')),
		tag: readId(search.get('tag')),
		campaign: readId(search.get('campaign')),
	}
	const change = (part: keyof ListFilter, text: string | null) =>
		setSearch((old) => withParams(old, { [part]: text }), { preventScrollReset: true, flushSync: true })
	return [filter, change]
}
