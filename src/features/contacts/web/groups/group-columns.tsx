import { Anchor } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import type { GroupRow } from '#features/contacts/group-contract.ts'
import { groupContactsPath } from '#features/contacts/paths.ts'
import { formatCount } from '#lib/numbers.ts'
import { Link } from '#lib/web/router/link.tsx'
import type { Column } from '#lib/web/ui/table/data-table.tsx'
import { actionsColumn } from '#lib/web/ui/table/row/row-actions.tsx'
import { TwoLines } from '#lib/web/ui/table/row/two-lines.tsx'
import { DateTime } from '#lib/web/ui/value/date-time.tsx'

export const TYPE_NAMES = { national: 'National', international: 'International' }

interface GroupActions {
	onEdit: (group: GroupRow) => void
	onDelete: (group: GroupRow) => void
}

export function groupColumns({ onEdit, onDelete }: GroupActions): Column<GroupRow>[] {
	return [
		{
			header: 'Name',
			cell: ({ name }) => (
				<b>
					<TwoLines text={name} />
				</b>
			),
			sort: { key: 'name', kind: 'text' },
			narrow: 'title',
		},
		{ header: 'Type', cell: ({ type }) => TYPE_NAMES[type], width: '124px', minWidth: 120, narrow: 'under' },
		{
			header: 'Description',
			cell: ({ description }) => (description ? <TwoLines text={description} /> : '-'),
			isProse: true,
			width: '30%',
			minWidth: 126,
		},
		{
			header: 'Contacts',
			cell: (group) => <Members group={group} />,
			align: 'right',
			width: '110px',
			minWidth: 104,
			sort: { key: 'contacts', kind: 'number' },
		},
		{
			header: 'Created At',
			cell: ({ createdAt }) => <DateTime iso={createdAt} />,
			align: 'right',
			width: '190px',
			minWidth: 124,
			sort: { key: 'createdAt', kind: 'date' },
		},
		actionsColumn({
			nameOf: ({ name }) => name,
			actionsOf: (group) => [
				{ word: 'Edit', label: `Edit ${group.name}`, Icon: IconPencil, onClick: () => onEdit(group) },
				{
					word: 'Delete',
					label: `Delete ${group.name}`,
					Icon: IconTrash,
					danger: true,
					onClick: () => onDelete(group),
				},
			],
		}),
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
