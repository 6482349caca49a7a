import { Modal } from '@mantine/core'
import type { UserRow } from '#features/users/contract.ts'
import { CopyButton } from '#lib/web/ui/form/copy-button.tsx'
import { DateTime } from '#lib/web/ui/value/date-time.tsx'
import { Money } from '#lib/web/ui/value/money.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import { AccountBadge } from '../account-badge.tsx'
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
				<dl className={styles.facts}>
					<div>
						<dt>Email</dt>
						<dd>
							{user.email} <CopyButton text={user.email} what="email" />
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
				</dl>
			)}
		</Modal>
	)
}
