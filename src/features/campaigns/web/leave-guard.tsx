import { useEffect } from 'react'
import { useBlocker } from 'react-router'
import { readToken } from '#lib/web/session.ts'
import { ConfirmDialog } from '#lib/web/ui/confirm-dialog.tsx'

/** Asks before what was filled in is lost. Whose session has ended is not held up. */
export function LeaveGuard({ isDirty }: { isDirty: boolean }) {
	const blocker = useBlocker(
		({ currentLocation, nextLocation }) =>
			isDirty && readToken() !== null && currentLocation.pathname !== nextLocation.pathname,
	)
	useEffect(() => {
		if (!isDirty) return
		const warn = (event: BeforeUnloadEvent) => event.preventDefault()
		window.addEventListener('beforeunload', warn)
		return () => window.removeEventListener('beforeunload', warn)
	}, [isDirty])
	return (
		<ConfirmDialog
			opened={blocker.state === 'blocked'}
			title="Leave this campaign?"
			confirm="Leave"
			danger
			onConfirm={() => blocker.proceed?.()}
			onClose={() => blocker.reset?.()}
		>
			What you have filled in will be lost.
		</ConfirmDialog>
	)
}
