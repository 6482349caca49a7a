import { Button, Group } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { contacts } from '#features/contacts/contract.ts'
import { customFields } from '#features/contacts/custom-fields.ts'
import { formatCount, plural } from '#lib/numbers.ts'
import { ApiError, call } from '#lib/web/api.ts'
import { invalidate } from '#lib/web/query.ts'
import { briefToast } from '#lib/web/toast.tsx'
import { ConfirmDialog } from '#lib/web/ui/feedback/confirm-dialog.tsx'
import { useDialogFor } from '#lib/web/ui/state/use-dialog-for.ts'
import { GroupSelect, NO_GROUP } from '../group-select.tsx'
import { type BulkChange, questionOf } from './bulk-questions.ts'
import { type ListedContacts, SelectMatching } from './select-matching.tsx'
import { TagMenu } from './tag-menu.tsx'
import { isNarrowed, type Selection } from './use-selection.tsx'
import styles from './manage-contacts.module.css'

interface SelectionBarProps {
	selection: Selection
	listed: ListedContacts
}

/** Renders the bar of actions for the selected contacts. */
export function SelectionBar({ selection, listed }: SelectionBarProps) {
	const { matching, count, clear } = selection
	const asking = useDialogFor<BulkChange>()
	const change = useBulkChange(selection, asking.close)
	const question = asking.subject && questionOf(asking.subject, count)
	const ask = (wanted: BulkChange) => {
		// A change of contacts selected by id is made without a question, because it can be undone; a change of all
		// matching contacts asks first.
		if (matching) asking.open(wanted)
		else change.mutate(wanted)
	}
	return (
		<Group component="section" className={styles.selection} gap={8} aria-label="Selected contacts">
			<span role="status">
				{matching
					? `All ${formatCount(count)} ${isNarrowed(listed) ? 'matching ' : ''}contacts selected`
					: `${plural(count, 'contact')} selected`}
			</span>
			<SelectMatching listed={listed} selection={selection} />
			<GroupSelect
				className={styles.group}
				aria-label="Move to group"
				placeholder="Move to group..."
				before={[NO_GROUP]}
				value={null}
				onChange={(_, chosen) => chosen && ask({ kind: 'move', group: chosen.value, groupName: chosen.label })}
				disabled={change.isPending}
			/>
			<TagMenu isBusy={change.isPending} onTag={(tag, isAdded) => ask({ kind: 'tag', tag, isAdded })} />
			<Button variant="default" onClick={() => asking.open({ kind: 'optOut' })}>
				Opt out of marketing
			</Button>
			<Button variant="default" onClick={() => asking.open({ kind: 'optIn' })}>
				Opt back in
			</Button>
			<Button variant="outline" color="red" onClick={() => asking.open({ kind: 'delete' })}>
				Delete
			</Button>
			<Button variant="subtle" onClick={clear} aria-label="Clear selection">
				Clear
			</Button>
			{question && (
				<ConfirmDialog
					dialog={asking}
					title={question.title}
					confirm={question.confirm}
					busyText={question.busyText}
					danger={question.danger}
					// `useBulkChange` has shown the error.
					onConfirm={() => asking.subject && change.mutateAsync(asking.subject).catch(() => {})}
				>
					{question.text}
				</ConfirmDialog>
			)}
		</Group>
	)
}

/** Returns the mutation that changes the selected contacts in one call, by ids or by filter. */
function useBulkChange({ ids, matching, clear }: Selection, onEnd: () => void) {
	const which = matching ? { matching } : { ids }
	const end = async () => {
		onEnd()
		await invalidate(
			contacts.list,
			contacts.latest,
			contacts.groups,
			contacts.optedOut,
			contacts.optOuts,
			customFields.list,
		)
	}
	return useMutation({
		mutationFn: (change: BulkChange): Promise<{ message: string }> => {
			if (change.kind === 'delete') return call(contacts.removeMany, { body: which })
			if (change.kind === 'tag')
				return call(contacts.tag, { body: { ...which, tag: change.tag, isAdded: change.isAdded } })
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
			// A 409 means that other contacts match by now, so the selection is cleared.
			if (!(error instanceof ApiError) || error.status !== 409) return
			clear()
			await end()
		},
	})
}
