import { useLogout } from '#features/auth/web/parts.tsx'
import { ConfirmDialog } from '#lib/web/ui/feedback/confirm-dialog.tsx'

interface LogoutDialogProps {
	opened: boolean
	onClose: () => void
}

export function LogoutDialog({ opened, onClose }: LogoutDialogProps) {
	const logout = useLogout()
	return (
		<ConfirmDialog dialog={{ opened, close: onClose }} title="Confirm Logout" confirm="Logout" onConfirm={logout}>
			Are you sure you want to log out?
		</ConfirmDialog>
	)
}
