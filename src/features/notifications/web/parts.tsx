import { Button } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { toast } from '#lib/web/toast.tsx'
import { useAction } from '#lib/web/use-action.ts'
import { NotAllowed, pushSupport, switchOnPushes } from './push.ts'

/**
 * Offers notifications on this device while the user waits for a result, unless the browser has asked for the permission
 * before.
 */
export function PushOffer({ children }: { children: ReactNode }) {
	const [isOpen, setOpen] = useState(() => pushSupport() === 'ready' && Notification.permission === 'default')
	const { busy, run } = useAction()
	if (!isOpen) return null
	const accept = async () => {
		toast.success(await switchOnPushes({ withTexts: false }))
		setOpen(false)
	}
	const failed = (error: unknown) => {
		setOpen(Notification.permission === 'default')
		if (!(error instanceof NotAllowed)) toast.failure(error, 'Notifications could not be switched on')
	}
	return (
		<Button variant="light" size="compact-md" display="block" mt={8} loading={busy} onClick={() => run(accept, failed)}>
			{children}
		</Button>
	)
}
