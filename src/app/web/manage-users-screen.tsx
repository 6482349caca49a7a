import type { UserRow } from '#features/users/contract.ts'
import { ManageUsers } from '#features/users/web/manage/manage-users.tsx'
import { CredentialsDialog } from '#features/whatsapp/web/credentials-dialog.tsx'
import { useDraftDialog } from '#lib/web/ui/state/use-draft-dialog.ts'

/** The users, and the key that WhatsApp knows each of them by: a feature of its own, which the users know nothing of. */
export function ManageUsersScreen() {
	const key = useDraftDialog<UserRow>('credentials')
	return (
		<>
			<ManageUsers onManageKey={key.open} />
			<CredentialsDialog dialog={key} />
		</>
	)
}
