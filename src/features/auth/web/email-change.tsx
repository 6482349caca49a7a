import { Anchor } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call, messageOf } from '#lib/web/api.ts'
import { mutation, queryClient } from '#lib/web/query.ts'
import { useParams } from '#lib/web/router/hooks.ts'
import { Link } from '#lib/web/router/link.tsx'
import { clearStorage } from '#lib/web/session.ts'
import { Notice } from '#lib/web/ui/feedback/notice.tsx'
import { BusyButton } from '#lib/web/ui/form/busy-button.tsx'
import { PageHeader } from '#lib/web/ui/layout/page-header.tsx'
import { auth, type EmailChangeState, type ProgramAccess } from '../contract.ts'
import { authPaths } from '../paths.ts'
import { ProgramList, WorkingPrograms } from './program-list.tsx'
import { useTokenOfAddress } from './token-of-address.ts'

const WORDS = {
	undo: {
		title: 'Undo the change of email',
		hint: 'You sign in with your old address again. The new one stops working, and all devices are signed out.',
		button: 'Undo the change',
		busy: 'Undoing...',
		endpoint: auth.undoEmailChange,
	},
	agree: {
		title: 'Confirm your new email',
		hint: 'From then on you sign in with the new address, and it gets the links to reset the password.',
		button: 'Confirm the change',
		busy: 'Confirming...',
		endpoint: auth.agreeEmailChange,
	},
} as const

const CLOSED: Record<Exclude<EmailChangeState, 'open'>, string> = {
	agreed:
		'This change has been confirmed: only the new address can sign in. If that was not you, contact your administrator.',
	undone: 'This change has been undone: your account has your old address again.',
	replaced: 'The address has been changed again since. If that was not you, contact your administrator.',
	expired:
		'This link has expired: seven days have passed, and only the new address can sign in. If the change was not yours, contact your administrator.',
}
const NO_LINK = 'This link is incomplete. Open it again from the email.'

/** Renders the revoked API keys and webhooks of an undone change, and the remaining ones. */
function Programs({ revoked, remaining }: { revoked: ProgramAccess[]; remaining: ProgramAccess[] }) {
	return (
		<>
			{revoked.length > 0 && (
				<Notice tone="info" title="Revoked">
					<ProgramList programs={revoked} />
				</Notice>
			)}
			{remaining.length > 0 && <WorkingPrograms programs={remaining} />}
		</>
	)
}

/** Renders the API keys and webhooks that undoing the change would revoke; nothing without any. */
function MadeSince({ programs }: { programs: ProgramAccess[] }) {
	if (programs.length === 0) return null
	return (
		<Notice tone="warn" title="Created since the change: they stop working when you undo it">
			<ProgramList programs={programs} />
		</Notice>
	)
}

/**
 * Renders the page of both links that are mailed to the address before a change. The page acts only on the button,
 * because mail programs open links.
 */
export function EmailChange() {
	const wanted = useParams()['wanted'] === 'agree' ? 'agree' : 'undo'
	const token = useTokenOfAddress()
	const { title, hint, button, busy, endpoint } = WORDS[wanted]
	const link = useQuery({
		queryKey: [auth.emailChange.path, token],
		queryFn: () => call(auth.emailChange, { body: { token } }),
		enabled: token !== '',
		retry: false,
	})
	const [done, setDone] = useState('')
	const [after, setAfter] = useState<{ revoked: ProgramAccess[]; remaining: ProgramAccess[] } | null>(null)
	const settle = useMutation({
		...mutation(endpoint),
		onSuccess(answer) {
			// The undo has ended all sessions of the user, including one that this browser may hold.
			if (wanted === 'undo') clearStorage()
			if (wanted === 'undo') queryClient.clear()
			setDone(answer.message)
			if ('revoked' in answer) setAfter(answer)
		},
	})
	const error = settle.error ?? link.error
	const problem = token === '' ? NO_LINK : error && messageOf(error, 'Server error')
	const state = link.data?.state
	return (
		<>
			<PageHeader title={title} hint={done ? undefined : hint} />
			<div className="stack">
				{done && (
					<Notice tone="ok" role="status">
						{done}
					</Notice>
				)}
				{after && <Programs {...after} />}
				{!done && problem && (
					<Notice tone="error" role="alert">
						{problem}
					</Notice>
				)}
				{!done && state && state !== 'open' && <Notice tone="info">{CLOSED[state]}</Notice>}
				{!done && !problem && state === 'open' && (
					<>
						<p>
							New address: <b>{link.data?.newEmail}</b>
						</p>
						{wanted === 'undo' && <MadeSince programs={link.data?.madeSince ?? []} />}
						<BusyButton
							color={wanted === 'undo' ? 'red' : undefined}
							fullWidth
							busy={settle.isPending}
							busyText={busy}
							onClick={() => settle.mutate({ body: { token } })}
						>
							{button}
						</BusyButton>
					</>
				)}
				{done && wanted === 'undo' && (
					<Anchor component={Link} to={authPaths.forgot} ta="center">
						Choose a new password
					</Anchor>
				)}
				<Anchor component={Link} to={authPaths.login} ta="center">
					Back to Login
				</Anchor>
			</div>
		</>
	)
}
