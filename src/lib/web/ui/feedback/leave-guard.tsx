import { useEffect, useState, type ReactNode } from 'react'
import { useBlocker } from 'react-router'
import { readToken } from '#lib/web/session.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'

interface LeaveGuardProps {
	/** Something was typed that is not saved. A change of the address's search alone does not ask. */
	dirty: boolean
	title?: string
	/** The word on the button that leaves. */
	confirm?: string
	/** The word on the button that stays. */
	dismiss?: string
	/** What becomes of the changes, where they are not simply lost. */
	children?: ReactNode
}

/** Asks before a screen with unsaved changes is left, by a link here or by closing the tab. */
export function LeaveGuard(props: LeaveGuardProps) {
	const { dirty, title = 'Discard changes?', confirm = 'Discard', dismiss = 'Keep editing', children } = props
	// After a sign-out nothing is asked, even if another user has signed in meanwhile.
	const [token] = useState(readToken)
	const blocker = useBlocker(
		({ currentLocation, nextLocation }) =>
			dirty && currentLocation.pathname !== nextLocation.pathname && token !== null && readToken() === token,
	)
	useEffect(() => {
		if (!dirty) return
		const warn = (event: BeforeUnloadEvent) => {
			if (readToken() === token) event.preventDefault()
		}
		window.addEventListener('beforeunload', warn)
		return () => window.removeEventListener('beforeunload', warn)
	}, [dirty, token])
	return (
		<ConfirmDialog
			dialog={{ opened: blocker.state === 'blocked', close: () => blocker.reset?.() }}
			title={title}
			confirm={confirm}
			dismiss={dismiss}
			danger
			onConfirm={() => blocker.proceed?.()}
		>
			{children ?? 'Your changes on this page are not saved.'}
		</ConfirmDialog>
	)
}
