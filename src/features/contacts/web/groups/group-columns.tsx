import { Anchor, Group } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { GroupRow } from '#features/contacts/contract.ts'
import { groupContactsPath } from '#features/contacts/paths.ts'
import { formatCount } from '#lib/numbers.ts'
import type { Column } from '#lib/web/ui/table/data-table.tsx'
import { RowButton } from '#lib/web/ui/table/row-button.tsx'
import { DateTime } from '#lib/web/ui/value/date-time.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import styles from '../contact-columns.module.css'

export const TYPE_NAMES = { national: 'National', international: 'International' }

interface GroupActions {
	onEdit: (group: GroupRow) => void
	onDelete: (group: GroupRow) => void
}

export function groupColumns({ onEdit, onDelete }: GroupActions): Column<GroupRow>[] {
	return [
		{ header: 'Name', cell: ({ name }) => <UserText className={styles.name} text={name} />, narrow: 'title' },
		{ header: 'Type', cell: ({ type }) => TYPE_NAMES[type], width: '120px', narrow: 'under' },
		{
			header: 'Description',
			cell: ({ description }) => <UserText className={styles.text} text={description ?? '-'} />,
			width: '30%',
		},
		{ header: 'Contacts', cell: (group) => <Members group={group} />, align: 'right', width: '110px' },
		{ header: 'Created At', cell: ({ createdAt }) => <DateTime iso={createdAt} />, align: 'right', width: '190px' },
		{
			header: '',
			cell: (group) => (
				<Group gap={6} wrap="nowrap" justify="flex-end">
					<RowButton
						label={`Edit ${group.name}`}
						icon={<IconPencil size={18} aria-hidden />}
						onClick={() => onEdit(group)}
					/>
					<RowButton
						danger
						label={`Delete ${group.name}`}
						icon={<IconTrash size={18} aria-hidden />}
						onClick={() => onDelete(group)}
					/>
				</Group>
			),
			align: 'right',
			width: '110px',
			narrow: 'actions',
		},
	]
}

function Members({ group: { _id, name, contacts } }: { group: GroupRow }) {
	const count = formatCount(contacts)
	if (contacts === 0) return <span className="figures">0</span>
	return (
		<Anchor
			component={Link}
			to={groupContactsPath(_id)}
			className="figures"
			aria-label={`${count} contacts of ${name}`}
		>
			{count}
		</Anchor>
	)
}
