import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { contacts } from '#features/contacts/contract.ts'
import { formatCount } from '#lib/numbers.ts'
import { call } from '#lib/web/api.ts'
import { briefToast } from '#lib/web/toast.tsx'
import type { Selection } from './use-selection.tsx'

export interface ListedContacts {
	search: string
	group: string | undefined
	total: number
	/** There are more than `total`. */
	hasMore: boolean
	/** What is on screen, and its total, are still those of another filter or page. */
	isOld: boolean
}

interface SelectMatchingProps {
	listed: ListedContacts
	selection: Selection
}

/** Offered once all of a page are selected: all that the filter finds, on whatever pages. */
export function SelectMatching({ listed: { search, group, total, hasMore, isOld }, selection }: SelectMatchingProps) {
	const count = useMutation({
		mutationFn: (query: Pick<ListedContacts, 'search' | 'group'>) => call(contacts.count, { query }),
		// The filter may be another by now: what was counted is what is chosen.
		onSuccess: ({ total: counted }, query) => selection.chooseMatching({ ...query, total: counted }),
		onError: (error) => briefToast.failure(error, 'Failed to fetch contacts'),
	})
	const isOffered =
		!isOld && selection.matching === null && selection.isPageChosen && (hasMore || total > selection.count)
	if (!isOffered) return null
	const what = search || group ? 'matching' : 'contacts'
	return (
		<Button
			variant="subtle"
			disabled={count.isPending}
			aria-busy={count.isPending}
			onClick={() => (hasMore ? count.mutate({ search, group }) : selection.chooseMatching({ search, group, total }))}
		>
			{count.isPending ? 'Counting...' : `Select all ${hasMore ? '' : `${formatCount(total)} `}${what}`}
		</Button>
	)
}
