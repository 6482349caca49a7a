import { Button } from '@mantine/core'
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { replies, type SavedReply } from '#features/replies/contract.ts'
import { call } from '#lib/web/api.ts'
import { invalidate, query } from '#lib/web/query.ts'
import { briefToast } from '#lib/web/toast.tsx'
import { ConfirmDialog } from '#lib/web/ui/feedback/confirm-dialog.tsx'
import { MissingPart } from '#lib/web/ui/feedback/load-error.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { useDialogFor, type DialogFor } from '#lib/web/ui/state/use-dialog-for.ts'
import type { Column } from '#lib/web/ui/table/column.ts'
import { DataRows } from '#lib/web/ui/table/data-rows.tsx'
import { actionsColumn } from '#lib/web/ui/table/row/row-actions.tsx'
import { TwoLines } from '#lib/web/ui/table/row/two-lines.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import { SavedReplyDialog } from './saved-reply-dialog.tsx'

/** Renders the saved replies of the account in a card. */
export function SavedRepliesCard() {
	const reading = useQuery(query(replies.saved))
	const dialog = useDialogFor<SavedReply | null>()
	const remove = useDialogFor<SavedReply>()
	const rows = reading.data?.replies
	return (
		<>
			<Card
				flush
				title="Saved replies"
				hint={
					rows?.length === 0
						? 'No saved replies yet. Save answers that you write often, such as your bank details or your opening hours.'
						: 'Type / in a chat, and choose one. It is sent only when you press Send.'
				}
				actions={
					<Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => dialog.open(null)}>
						Add saved reply
					</Button>
				}
			>
				<MissingPart message="The saved replies could not be loaded." readings={[reading]} />
				{rows && rows.length > 0 && (
					<DataRows
						label="Saved replies"
						rows={rows}
						rowKey={({ _id }) => _id}
						columns={columnsOf(dialog.open, remove.open)}
					/>
				)}
			</Card>
			<SavedReplyDialog dialog={dialog} />
			<RemoveDialog dialog={remove} />
		</>
	)
}

function columnsOf(onEdit: (reply: SavedReply) => void, onDelete: (reply: SavedReply) => void): Column<SavedReply>[] {
	return [
		{
			header: 'Name',
			cell: ({ shortcut }) => (
				<b>
					<TwoLines text={`/${shortcut}`} />
				</b>
			),
			width: '22%',
			narrow: 'title',
		},
		{
			header: 'Text',
			cell: ({ text }) => (text ? <TwoLines text={text} /> : <span className="secondary">No text</span>),
			isProse: true,
			narrow: 'under',
		},
		{
			header: 'File',
			cell: ({ file }) => (file ? <TwoLines text={file.name} /> : <span className="secondary">None</span>),
			width: '20%',
		},
		actionsColumn({
			nameOf: ({ shortcut }) => shortcut,
			actionsOf: (reply) => [
				{ word: 'Edit', label: `Edit ${reply.shortcut}`, Icon: IconPencil, onClick: () => onEdit(reply) },
				{
					word: 'Delete',
					label: `Delete ${reply.shortcut}`,
					Icon: IconTrash,
					danger: true,
					onClick: () => onDelete(reply),
				},
			],
		}),
	]
}

function RemoveDialog({ dialog }: { dialog: DialogFor<SavedReply> }) {
	const { subject: reply, close } = dialog
	const remove = async () => {
		if (!reply) return
		const { message } = await call(replies.removeSaved, { params: { id: reply._id } })
		briefToast.success(message)
		close()
		await invalidate(replies.saved)
	}
	return (
		<ConfirmDialog
			dialog={dialog}
			title="Delete saved reply?"
			confirm="Delete"
			busyText="Deleting..."
			danger
			onConfirm={remove}
			failed={(error) => briefToast.failure(error, 'Failed to delete the saved reply')}
		>
			{reply && (
				<>
					<strong>
						/<UserText text={reply.shortcut} />
					</strong>{' '}
					will be deleted for everyone in this account. Messages that were sent with it stay.
				</>
			)}
		</ConfirmDialog>
	)
}
