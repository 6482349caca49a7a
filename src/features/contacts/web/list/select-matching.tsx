import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { contacts } from '#features/contacts/contract.ts'
import { formatCount } from '#lib/numbers.ts'
import { mutation } from '#lib/web/query.ts'
import { briefToast } from '#lib/web/toast.tsx'
import type { Selection } from './use-selection.tsx'

export interface ListedContacts {
	search: string
	group: string | undefined
	total: number
	/** There are more than `total`. */
	hasMore: boolean
}

interface SelectMatchingProps {
	listed: ListedContacts
	selection: Selection
}

/** Offered once all of a page are selected: all that the filter finds, on whatever pages. */
export function SelectMatching({ listed: { search, group, total, hasMore }, selection }: SelectMatchingProps) {
	const choose = (found: number) => selection.chooseMatching({ search, group, total: found })
	const count = useMutation({
		...mutation(contacts.count),
		onSuccess: (answer) => choose(answer.total),
		onError: (error) => briefToast.failure(error, 'Failed to fetch contacts'),
	})
	const isOffered = selection.matching === null && selection.isPageChosen && (hasMore || total > selection.count)
	if (!isOffered) return null
	const what = search || group ? 'matching' : 'contacts'
	return (
		<Button
			variant="subtle"
			disabled={count.isPending}
			aria-busy={count.isPending}
			onClick={() => (hasMore ? count.mutate({ query: { search, group } }) : choose(total))}
		>
			{count.isPending ? 'Counting...' : `Select all ${hasMore ? '' : `${formatCount(total)} `}${what}`}
		</Button>
	)
}
