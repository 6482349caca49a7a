import { IconEye } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { PageHeader } from '#lib/web/ui/page-header.tsx'
import { RowButton } from '#lib/web/ui/row-button.tsx'
import { useDialogFor } from '#lib/web/ui/use-dialog-for.ts'
import type { UserRow } from '../contract.ts'
import { UserDetailsDialog } from './user-details-dialog.tsx'
import { UserTable } from './user-table.tsx'

interface ManageUsersProps {
	/** Buttons of a row that belong to other features. */
	renderActions: (user: UserRow) => ReactNode
}

export function ManageUsers({ renderActions }: ManageUsersProps) {
	const details = useDialogFor<UserRow>()
	return (
		<>
			<PageHeader title="Manage Users" hint="Who has an account here, and what is in their wallets." />
			<UserTable
				renderActions={(user) => (
					<>
						<RowButton
							label={`View ${user.name}`}
							icon={<IconEye size={18} aria-hidden />}
							onClick={() => details.open(user)}
						/>
						{renderActions(user)}
					</>
				)}
			/>
			<UserDetailsDialog user={details.subject} opened={details.opened} onClose={details.close} />
		</>
	)
}
