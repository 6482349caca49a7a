import { useEffect, useState, type ReactNode } from 'react'
import { useBlocker } from 'react-router'
import { readToken } from '#lib/web/session.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'

interface LeaveGuardProps {
	/** True when the screen has unsaved input. A change of the URL's search alone never asks. */
	dirty: boolean
	title?: string
	/** Text of the button that leaves. */
	confirm?: string
	/** Text of the button that stays. */
	dismiss?: string
	/** Consequence for the changes, when they are not simply lost. */
	children?: ReactNode
}

/** Asks before the user leaves a screen with unsaved changes, by a link or by closing the tab. */
export function LeaveGuard(props: LeaveGuardProps) {
	const { dirty, title = 'Discard changes?', confirm = 'Discard', dismiss = 'Keep editing', children } = props
	// Never asks after a sign-out, even if another user has signed in meanwhile.
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
