import { useMutation } from '@tanstack/react-query'
import { contacts } from '#features/contacts/contract.ts'
import { ApiError, call } from '#lib/web/api.ts'
import { invalidate } from '#lib/web/query.ts'
import { briefToast } from '#lib/web/toast.tsx'
import type { BulkChange } from './bulk-questions.ts'
import type { Selection } from './use-selection.tsx'

/** Changes all selected contacts by one call, whether they are named by their ids or by the filter. */
export function useBulkChange({ ids, matching, clear }: Selection, onEnd: () => void) {
	const which = matching ? { matching } : { ids }
	const end = async () => {
		onEnd()
		await invalidate(contacts.list, contacts.latest, contacts.groups, contacts.optedOut, contacts.optOuts)
	}
	return useMutation({
		mutationFn: (change: BulkChange): Promise<{ message: string }> => {
			if (change.kind === 'delete') return call(contacts.removeMany, { body: which })
			if (change.kind === 'move') return call(contacts.move, { body: { ...which, group: change.group || null } })
			return call(contacts.setOptOuts, { body: { ...which, optedOut: change.kind === 'optOut' } })
		},
		onSuccess: async ({ message }) => {
			briefToast.success(message)
			clear()
			await end()
		},
		onError: async (error, { kind }) => {
			briefToast.failure(error, kind === 'delete' ? 'Failed to delete contact' : 'Failed to save contact')
			// Others match by now: what was selected is no longer what was seen.
			if (!(error instanceof ApiError) || error.status !== 409) return
			clear()
			await end()
		},
	})
}
