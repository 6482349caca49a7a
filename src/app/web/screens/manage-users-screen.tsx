import { DeletedAccountData } from '#features/privacy/web/deleted-account-data.tsx'
import type { UserRow } from '#features/users/contract.ts'
import type { DataOf } from '#features/users/web/manage/deleted-users.tsx'
import { ManageUsers } from '#features/users/web/manage/manage-users.tsx'
import { CredentialsDialog } from '#features/whatsapp/web/credentials-dialog.tsx'
import { useDraftDialog } from '#lib/web/ui/state/use-draft-dialog.ts'

/**
 * Renders the list of users with dialogs for credentials and data, which are features that the users feature does not
 * import.
 */
export function ManageUsersScreen() {
	const key = useDraftDialog<UserRow>('credentials')
	return (
		<>
			<ManageUsers onManageKey={key.open} dataOf={dataOf} />
			<CredentialsDialog dialog={key} />
		</>
	)
}

const dataOf: DataOf = ({ _id, name }) => <DeletedAccountData userId={_id} name={name} />
