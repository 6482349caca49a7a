import { Button, Select } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { contacts } from '#features/contacts/contract.ts'
import { plural } from '#lib/numbers.ts'
import { invalidate, mutation } from '#lib/web/query.ts'
import { briefToast } from '#lib/web/toast.tsx'
import { ConfirmDialog } from '#lib/web/ui/feedback/confirm-dialog.tsx'
import styles from './manage-contacts.module.css'

const NO_GROUP = { value: '', label: 'No Group' }

interface SelectionBarProps {
	ids: string[]
	groups: { value: string; label: string }[]
	onDone: () => void
}

/** What can be done to several contacts at once. */
export function SelectionBar({ ids, groups, onDone }: SelectionBarProps) {
	const [asking, setAsking] = useState(false)
	const done = async ({ message }: { message: string }) => {
		briefToast.success(message)
		setAsking(false)
		onDone()
		await invalidate(contacts.list, contacts.latest, contacts.groups, contacts.optedOut)
	}
	const move = useMutation({
		...mutation(contacts.move),
		onSuccess: done,
		onError: (error) => briefToast.failure(error, 'Failed to save contact'),
	})
	const remove = useMutation({
		...mutation(contacts.removeMany),
		onSuccess: done,
		onError: (error) => briefToast.failure(error, 'Failed to delete contact'),
	})
	const optOut = useMutation({
		...mutation(contacts.setOptOuts),
		onSuccess: done,
		onError: (error) => briefToast.failure(error, 'Failed to save contact'),
	})
	const what = plural(ids.length, 'contact')
	return (
		<section className={styles.selection} aria-label="Selected contacts">
			<span role="status">{what} selected</span>
			<Select
				className={styles.group}
				aria-label="Move to group"
				placeholder="Move to group..."
				data={[NO_GROUP, ...groups]}
				value={null}
				onChange={(chosen) => chosen !== null && move.mutate({ body: { ids, group: chosen || null } })}
				searchable
				limit={50}
				nothingFoundMessage="No matching group"
				disabled={move.isPending}
			/>
			<Button
				variant="default"
				disabled={optOut.isPending}
				aria-busy={optOut.isPending}
				onClick={() => optOut.mutate({ body: { ids, optedOut: true } })}
			>
				Opt out of marketing
			</Button>
			<Button variant="outline" color="red" onClick={() => setAsking(true)}>
				Delete
			</Button>
			<Button variant="subtle" onClick={onDone}>
				Clear selection
			</Button>
			<ConfirmDialog
				opened={asking}
				title={`Delete ${what}?`}
				confirm="Delete"
				busyText="Deleting..."
				busy={remove.isPending}
				danger
				onConfirm={() => remove.mutate({ body: { ids } })}
				onClose={() => setAsking(false)}
			>
				They will be removed from your contacts. Existing campaigns still include them. This cannot be undone.
			</ConfirmDialog>
		</section>
	)
}
