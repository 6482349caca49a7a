import { Avatar } from '@mantine/core'
import { IconWallet } from '@tabler/icons-react'
import type { Profile } from '#features/users/contract.ts'
import { initialOf } from '#lib/characters.ts'
import { Money } from '#lib/web/ui/value/money.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import styles from './my-profile.module.css'

/** Whose profile it is; for a user also what is in the wallet. */
export function ProfileHead({ profile: { name, role, walletBalance } }: { profile: Profile }) {
	return (
		<div className={styles.head}>
			<Avatar size={64} color="green" variant="filled" radius={64} aria-hidden>
				{initialOf(name || role)}
			</Avatar>
			<div className={styles.who}>
				<p className={styles.name}>
					<UserText text={name} />
				</p>
				<p className={styles.role}>{role.toUpperCase()}</p>
			</div>
			{role === 'user' && (
				<div className={styles.wallet}>
					<IconWallet size={24} stroke={1.6} aria-hidden />
					<div>
						<p className={styles.walletLabel}>Wallet Balance</p>
						<p className={styles.walletAmount}>
							<Money rupees={walletBalance} />
						</p>
					</div>
				</div>
			)}
		</div>
	)
}
