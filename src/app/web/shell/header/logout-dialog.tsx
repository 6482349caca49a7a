import { useMounted } from '@mantine/hooks'
import { useLogout } from '#features/auth/web/parts.tsx'
import { ConfirmDialog } from '#lib/web/ui/feedback/confirm-dialog.tsx'

interface LogoutDialogProps {
	opened: boolean
	onClose: () => void
}

export function LogoutDialog({ opened, onClose }: LogoutDialogProps) {
	const logout = useLogout()
	// As with the menu's drawer: only an opening it sees lets it return the focus.
	const isThere = useMounted()
	return (
		<ConfirmDialog
			dialog={{ opened: opened && isThere, close: onClose }}
			title="Confirm Logout"
			confirm="Logout"
			onConfirm={logout}
		>
			Are you sure you want to log out?
		</ConfirmDialog>
	)
}
