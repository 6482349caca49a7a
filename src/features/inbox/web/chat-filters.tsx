import { Select, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useCustomFields } from '#features/contacts/web/custom-fields.ts'
import { inbox } from '#features/inbox/contract.ts'
import { query } from '#lib/web/query.ts'
import { choicesOf } from '#lib/web/ui/form/choices.ts'
import { useListFilter } from './use-list-filter.ts'

/** Number of matches that a select shows at once. */
const SHOWN = 50

/** Renders the choices of a tag and of a campaign, which leave the chats of customers who have both. */
export function ChatFilters() {
	const [{ tag, campaign }, change] = useListFilter()
	const { tags } = useCustomFields()
	const { data } = useQuery(query(inbox.campaigns))
	return (
		<Stack gap={8} role="group" aria-label="Filters">
			<Select
				aria-label="Tag"
				placeholder="All tags"
				clearable
				searchable
				limit={SHOWN}
				nothingFoundMessage="No matching tag"
				data={choicesOf(tags)}
				value={tag ?? null}
				onChange={(chosen) => change('tag', chosen)}
			/>
			<Select
				aria-label="Campaign"
				placeholder="All campaigns"
				clearable
				searchable
				limit={SHOWN}
				nothingFoundMessage="No matching campaign"
				data={choicesOf(data?.campaigns ?? [])}
				value={campaign ?? null}
				onChange={(chosen) => change('campaign', chosen)}
			/>
		</Stack>
	)
}
