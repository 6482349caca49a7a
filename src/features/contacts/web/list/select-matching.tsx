import { contacts } from '#features/contacts/contract.ts'
import { formatCount } from '#lib/numbers.ts'
import { call } from '#lib/web/api.ts'
import { briefToast } from '#lib/web/toast.tsx'
import { ActionButton } from '#lib/web/ui/form/action-button.tsx'
import { isNarrowed, type Narrowed, type Selection } from './use-selection.tsx'

export interface ListedContacts extends Narrowed {
	total: number
	/** True when more contacts match than `total`. */
	hasMore: boolean
	/** True while the rows and total on screen belong to an earlier filter or page. */
	isOld: boolean
}

interface SelectMatchingProps {
	listed: ListedContacts
	selection: Selection
}

/**
 * Renders the button that selects all matching contacts on all pages. Offered once the whole page is selected and more
 * contacts match.
 */
export function SelectMatching({ listed: { total, hasMore, isOld, ...listed }, selection }: SelectMatchingProps) {
	const { search, group, tag, field, value } = listed
	const narrowed = { search, group, tag, field, value }
	// The filter may change before the response arrives, so the selection uses the filter that was counted.
	const choose = async () => {
		const counted = hasMore ? await call(contacts.count, { query: narrowed }) : { total }
		selection.chooseMatching({ ...narrowed, total: counted.total })
	}
	const isOffered =
		!isOld && selection.matching === null && selection.isPageChosen && (hasMore || total > selection.count)
	if (!isOffered) return null
	const what = isNarrowed(listed) ? 'matching' : 'contacts'
	return (
		<ActionButton
			variant="subtle"
			busyText="Counting..."
			act={choose}
			failed={(error) => briefToast.failure(error, 'Failed to fetch contacts')}
		>
			{`Select all ${hasMore ? '' : `${formatCount(total)} `}${what}`}
		</ActionButton>
	)
}
