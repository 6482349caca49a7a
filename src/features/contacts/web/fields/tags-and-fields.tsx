import { Button } from '@mantine/core'
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { contacts } from '#features/contacts/contract.ts'
import { contactTags, customFields, type FieldRow, type TagRow } from '#features/contacts/custom-fields.ts'
import { contactPaths } from '#features/contacts/paths.ts'
import { call } from '#lib/web/api.ts'
import { invalidate } from '#lib/web/query.ts'
import { briefToast } from '#lib/web/toast.tsx'
import { ConfirmDialog } from '#lib/web/ui/feedback/confirm-dialog.tsx'
import { MissingPart } from '#lib/web/ui/feedback/load-error.tsx'
import { BackLink } from '#lib/web/ui/layout/back-link.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { PageHeader } from '#lib/web/ui/layout/page-header.tsx'
import { useDialogFor, type DialogFor } from '#lib/web/ui/state/use-dialog-for.ts'
import type { Column } from '#lib/web/ui/table/column.ts'
import { DataRows } from '#lib/web/ui/table/data-rows.tsx'
import { actionsColumn } from '#lib/web/ui/table/row/row-actions.tsx'
import { TwoLines } from '#lib/web/ui/table/row/two-lines.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import { TYPE_WORDS, allCustomFields } from '../custom-fields.ts'
import { FieldDialog } from '../field-dialog.tsx'
import { TagDialog } from './tag-dialog.tsx'

type Removed = { kind: 'field'; subject: FieldRow } | { kind: 'tag'; subject: TagRow }

/** Renders the page that lists the account's tags and custom fields, to rename and delete them. */
export function TagsAndFields() {
	const reading = useQuery(allCustomFields)
	const field = useDialogFor<FieldRow | null>()
	const tag = useDialogFor<TagRow>()
	const remove = useDialogFor<Removed>()
	return (
		<>
			<PageHeader
				title="Tags and fields"
				hint="Details that you keep about your contacts, such as city or birthday."
				back={<BackLink to={contactPaths.list} name="Manage Contacts" />}
				actions={
					<Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => field.open(null)}>
						Add New Field
					</Button>
				}
			/>
			<div className="stack">
				<MissingPart message="The tags and fields could not be loaded." readings={[reading]} />
				<ListCard
					title="Fields"
					none="No fields yet. Add one here, or keep a column when you upload a file."
					rows={reading.data?.fields}
					columns={[
						nameColumn<FieldRow>(),
						{ header: 'Type', cell: ({ type }) => TYPE_WORDS[type], width: '30%', narrow: 'under' },
						actionsOf<FieldRow>(field.open, (subject) => remove.open({ kind: 'field', subject })),
					]}
				/>
				<ListCard
					title="Tags"
					none="No tags yet. Add tags to a contact, or when you upload a file."
					rows={reading.data?.tags}
					columns={[
						nameColumn<TagRow>(),
						actionsOf<TagRow>(tag.open, (subject) => remove.open({ kind: 'tag', subject })),
					]}
				/>
			</div>
			<FieldDialog dialog={field} />
			<TagDialog dialog={tag} />
			<RemoveDialog dialog={remove} />
		</>
	)
}

interface ListCardProps<T> {
	title: string
	/** Hint of an empty list, which says how rows are added. */
	none: string
	/** Undefined while loading. */
	rows: readonly T[] | undefined
	columns: Column<T>[]
}

function ListCard<T extends { _id: string }>({ title, none, rows, columns }: ListCardProps<T>) {
	return (
		<Card flush title={title} hint={rows?.length === 0 && none}>
			{rows && rows.length > 0 && <DataRows label={title} rows={rows} rowKey={({ _id }) => _id} columns={columns} />}
		</Card>
	)
}

function nameColumn<T extends { name: string }>(): Column<T> {
	return { header: 'Name', cell: ({ name }) => <TwoLines text={name} />, narrow: 'title' }
}

function actionsOf<T extends { name: string }>(onRename: (row: T) => void, onDelete: (row: T) => void): Column<T> {
	return actionsColumn({
		nameOf: ({ name }) => name,
		actionsOf: (row) => [
			{ word: 'Rename', label: `Rename ${row.name}`, Icon: IconPencil, onClick: () => onRename(row) },
			{ word: 'Delete', label: `Delete ${row.name}`, Icon: IconTrash, danger: true, onClick: () => onDelete(row) },
		],
	})
}

function RemoveDialog({ dialog }: { dialog: DialogFor<Removed> }) {
	const { subject: removed, close } = dialog
	const isField = removed?.kind === 'field'
	const remove = async () => {
		if (!removed) return
		const params = { id: removed.subject._id }
		const { message } = await call(isField ? customFields.remove : contactTags.remove, { params })
		briefToast.success(message)
		close()
		await invalidate(customFields.list, contacts.list, contacts.latest)
	}
	return (
		<ConfirmDialog
			dialog={dialog}
			title={isField ? 'Delete field?' : 'Delete tag?'}
			confirm="Delete"
			busyText="Deleting..."
			danger
			onConfirm={remove}
			failed={(error) => briefToast.failure(error, isField ? 'Failed to delete field' : 'Failed to delete tag')}
		>
			{removed && (
				<>
					<strong>
						<UserText text={removed.subject.name} />
					</strong>{' '}
					{isField ? 'will be deleted, with its values for all contacts.' : 'will be removed from all contacts.'}{' '}
					Campaigns that you already created do not change. This cannot be undone.
				</>
			)}
		</ConfirmDialog>
	)
}
