import { useEffect, useState, type ReactNode } from 'react'
import { useBlocker } from '#lib/web/router/hooks.ts'
import { readToken } from '#lib/web/session.ts'
import { isLeavingOnPurpose } from '#lib/web/ui/state/leave-to.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'

interface LeaveGuardProps {
	/** True when the screen has unsaved input. A change of only the URL's search never asks. */
	dirty: boolean
	title?: string
	/** Text of the button that leaves. */
	confirm?: string
	/** Text of the button that stays. */
	dismiss?: string
	/** True when a draft stores the changes, so that leaving for a page such as the payment page needs no question. */
	isStored?: boolean
	/** Consequence for the changes, when they are not simply lost. */
	children?: ReactNode
}

/** Asks before the user leaves a screen with unsaved changes, by a link or by closing the tab. */
export function LeaveGuard(props: LeaveGuardProps) {
	const { dirty, title = 'Discard changes?', confirm = 'Discard', dismiss = 'Keep editing' } = props
	const { isStored = false, children } = props
	// Never asks after a sign-out, even if another user has signed in meanwhile.
	const [token] = useState(readToken)
	const blocker = useBlocker(
		(from, to) => dirty && from.pathname !== to.pathname && token !== null && readToken() === token,
	)
	useEffect(() => {
		if (!dirty) return
		const warn = (event: BeforeUnloadEvent) => {
			const isExpected = isStored && isLeavingOnPurpose()
			if (readToken() === token && !isExpected) event.preventDefault()
		}
		window.addEventListener('beforeunload', warn)
		return () => window.removeEventListener('beforeunload', warn)
	}, [dirty, isStored, token])
	return (
		<ConfirmDialog
			dialog={{ opened: blocker !== null, close: () => blocker?.stay() }}
			title={title}
			confirm={confirm}
			dismiss={dismiss}
			danger
			onConfirm={() => blocker?.leave()}
		>
			{children ?? 'Your changes on this page are not saved.'}
		</ConfirmDialog>
	)
}
