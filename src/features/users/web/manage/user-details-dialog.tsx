import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { auth } from '#features/auth/contract.ts'
import type { UserRow } from '#features/users/contract.ts'
import { stateText } from '#lib/gst-states.ts'
import { call } from '#lib/web/api.ts'
import { toast } from '#lib/web/toast.tsx'
import { ActionButton } from '#lib/web/ui/form/action-button.tsx'
import { CopyButton } from '#lib/web/ui/form/copy-button.tsx'
import type { DialogFor } from '#lib/web/ui/state/use-dialog-for.ts'
import { DateTime } from '#lib/web/ui/value/date-time.tsx'
import { Facts } from '#lib/web/ui/value/facts.tsx'
import { Money } from '#lib/web/ui/value/money.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import { AccountBadge } from '../account-badge.tsx'
import { ResetSecondFactor } from '../reset-second-factor.tsx'
import { ColleaguesOfUser } from './colleagues-of-user.tsx'
import { LinksSwitch } from './links-switch.tsx'
import { updateRow } from './user-rows.ts'
import styles from './user-details-dialog.module.css'

interface UserDetailsDialogProps {
	dialog: DialogFor<UserRow>
	healthOf: (user: UserRow) => ReactNode
}

export function UserDetailsDialog({ dialog: { subject: user, opened, close }, healthOf }: UserDetailsDialogProps) {
	return (
		<Modal opened={opened} onClose={close} title={user && <UserText text={user.name} />}>
			{user && (
				<Facts
					className={styles.facts}
					ruled
					of={{
						Email: (
							<>
								{user.email} <CopyButton text={user.email} what="email" />
							</>
						),
						'User ID': (
							<>
								{user._id} <CopyButton text={user._id} what="user ID" />
							</>
						),
						Role: user.role === 'admin' ? 'Admin' : 'User',
						'Wallet Balance': <Money rupees={user.walletBalance} />,
						Status: <AccountBadge isActive={user.isActive} />,
						'Set-up': user.role === 'user' && healthOf(user),
						'Member since': <DateTime iso={user.createdAt} as="day" />,
						Password: user.passwordFrom === 'nobody' && <MailLinkAgain user={user} />,
						'Business name': user.businessName || null,
						'Business address': user.businessAddress !== '' && <span className="lines">{user.businessAddress}</span>,
						State: user.businessState === '' ? null : stateText(user.businessState),
						GSTIN: user.gstin || null,
						Colleagues: user.role === 'user' && <ColleaguesOfUser userId={user._id} />,
						'Counted links': user.role === 'user' && <LinksSwitch user={user} />,
						'Two-step login': user.hasSecondFactor ? (
							<ResetSecondFactor id={user._id} onReset={() => updateRow(user._id, { hasSecondFactor: false })} />
						) : (
							'Off'
						),
					}}
				/>
			)}
		</Modal>
	)
}

function MailLinkAgain({ user: { _id, isActive } }: { user: UserRow }) {
	const mailAgain = async () => toast.success((await call(auth.inviteAgain, { params: { id: _id } })).message)
	return (
		<>
			Not set yet. We emailed a link.{' '}
			{isActive && (
				<ActionButton
					size="xs"
					variant="outline"
					act={mailAgain}
					failed={(error) => toast.failure(error, 'Failed to email the link')}
				>
					Email it again
				</ActionButton>
			)}
		</>
	)
}
