import { displayNumber } from '#lib/phone.ts'
import type { Column } from '#lib/web/ui/data-table.tsx'
import { StatusBadge } from '#lib/web/ui/status-badge.tsx'
import { When } from '#lib/web/ui/when.tsx'
import type { ContactRow } from '../contract.ts'
import styles from './contact-columns.module.css'

export const contactColumns: Column<ContactRow>[] = [
	{ header: 'Name', cell: (contact) => <Name contact={contact} />, narrow: 'title' },
	{
		header: 'Number',
		cell: ({ number }) => <span className="figures">{displayNumber(number)}</span>,
		width: '22%',
		narrow: 'under',
	},
	{
		header: 'Group',
		cell: ({ group }) => <span className={styles.text}>{group?.name ?? '-'}</span>,
		width: '24%',
	},
	{ header: 'Added On', cell: ({ createdAt }) => <When iso={createdAt} />, align: 'right', width: '20%' },
]

function Name({ contact: { firstName, lastName, optedOut } }: { contact: ContactRow }) {
	return (
		<span className={styles.name}>
			{lastName ? `${firstName} ${lastName}` : firstName}
			{optedOut && <StatusBadge kind="tone" status="warn" label="Opted out" />}
		</span>
	)
}
