import { Button, Modal } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { auth } from '#features/auth/contract.ts'
import { users, type UserRow } from '#features/users/contract.ts'
import { call } from '#lib/web/api.ts'
import { mutation } from '#lib/web/query.ts'
import { toast } from '#lib/web/toast.tsx'
import { ActionButton } from '#lib/web/ui/form/action-button.tsx'
import { CopyButton } from '#lib/web/ui/form/copy-button.tsx'
import { DateTime } from '#lib/web/ui/value/date-time.tsx'
import { Money } from '#lib/web/ui/value/money.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import { AccountBadge } from '../account-badge.tsx'
import { updateRow } from './user-rows.ts'
import styles from './user-details-dialog.module.css'

interface UserDetailsDialogProps {
	user: UserRow | null
	opened: boolean
	onClose: () => void
}

export function UserDetailsDialog({ user, opened, onClose }: UserDetailsDialogProps) {
	return (
		<Modal opened={opened} onClose={onClose} title={user && <UserText text={user.name} />}>
			{user && (
				<dl className={`facts ${styles.facts}`} data-ruled>
					<div>
						<dt>Email</dt>
						<dd>
							{user.email} <CopyButton text={user.email} what="email" />
						</dd>
					</div>
					<div>
						<dt>User ID</dt>
						<dd>
							{user._id} <CopyButton text={user._id} what="user ID" />
						</dd>
					</div>
					<div>
						<dt>Role</dt>
						<dd>{user.role === 'admin' ? 'Admin' : 'User'}</dd>
					</div>
					<div>
						<dt>Wallet Balance</dt>
						<dd>
							<Money rupees={user.walletBalance} />
						</dd>
					</div>
					<div>
						<dt>Status</dt>
						<dd>
							<AccountBadge isActive={user.isActive} />
						</dd>
					</div>
					<div>
						<dt>Member since</dt>
						<dd>
							<DateTime iso={user.createdAt} as="day" />
						</dd>
					</div>
					{user.passwordFrom === 'nobody' && (
						<div>
							<dt>Password</dt>
							<dd>
								<MailLinkAgain user={user} />
							</dd>
						</div>
					)}
					<BusinessFacts user={user} />
					<div>
						<dt>Second factor</dt>
						<dd>{user.hasSecondFactor ? <ResetSecondFactor user={user} /> : 'Off'}</dd>
					</div>
				</dl>
			)}
		</Modal>
	)
}

function MailLinkAgain({ user: { _id, isActive } }: { user: UserRow }) {
	const mailAgain = async () => toast.success((await call(auth.inviteAgain, { params: { id: _id } })).message)
	return (
		<>
			Not chosen yet: a link was mailed.{' '}
			{isActive && (
				<ActionButton
					size="xs"
					variant="outline"
					act={mailAgain}
					failed={(error) => toast.failure(error, 'Failed to mail the link')}
				>
					Mail it again
				</ActionButton>
			)}
		</>
	)
}

/** For somebody who has lost both their phone and their recovery codes; a second press confirms. */
function ResetSecondFactor({ user: { _id } }: { user: UserRow }) {
	const [asked, setAsked] = useState(false)
	const reset = useMutation({
		...mutation(users.resetSecondFactor),
		onSuccess: ({ message }) => {
			updateRow(_id, { hasSecondFactor: false })
			toast.success(message)
		},
		onError: (error) => toast.failure(error, 'Failed to reset the second factor'),
	})
	if (reset.isSuccess) return 'Off'
	return (
		<>
			{asked ? 'On. Without it, the password alone signs in. Have you made sure who asks?' : 'On'}{' '}
			<Button
				size="xs"
				variant={asked ? 'filled' : 'outline'}
				color="red"
				disabled={reset.isPending}
				onClick={() => (asked ? reset.mutate({ params: { id: _id } }) : setAsked(true))}
			>
				{asked ? 'Yes, reset it' : 'Reset'}
			</Button>
		</>
	)
}

function BusinessFacts({ user: { businessName, businessAddress, gstin } }: { user: UserRow }) {
	const facts = { 'Business name': businessName, 'Business address': businessAddress, GSTIN: gstin }
	return Object.entries(facts)
		.filter(([, text]) => text !== '')
		.map(([label, text]) => (
			<div key={label}>
				<dt>{label}</dt>
				<dd className="lines">{text}</dd>
			</div>
		))
}
