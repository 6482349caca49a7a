import { DeletedAccountData } from '#features/privacy/web/deleted-account-data.tsx'
import type { UserRow } from '#features/users/contract.ts'
import type { DataOf } from '#features/users/web/manage/deleted-users.tsx'
import { ManageUsers } from '#features/users/web/manage/manage-users.tsx'
import { CredentialsDialog } from '#features/whatsapp/web/credentials-dialog.tsx'
import { useDraftDialog } from '#lib/web/ui/state/use-draft-dialog.ts'

/** The users, the key that WhatsApp knows each of them by, and all their data: features of their own, which the users know nothing of. */
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
