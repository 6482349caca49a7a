import { useQuery } from '@tanstack/react-query'
import { withoutOverrides } from '#lib/bidi.ts'
import { query } from '#lib/web/query.ts'
import { briefToast } from '#lib/web/toast.tsx'
import { useErrorToast } from '#lib/web/ui/feedback/use-error-toast.ts'
import { contacts } from '../contract.ts'

/** All groups, as a Select wants them. Until they are there, and when they cannot be read, there are none to choose. */
export function useGroupOptions(): { value: string; label: string }[] {
	const groups = useQuery(query(contacts.groups, { query: { limit: 1000 } }))
	useErrorToast(groups.error, 'Failed to fetch groups', briefToast)
	return groups.data?.contactGroups.map(({ _id, name }) => ({ value: _id, label: withoutOverrides(name) })) ?? []
}
