import type { Profile } from '#features/users/contract.ts'
import { DateTime } from '#lib/web/ui/value/date-time.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import { AccountBadge } from '../account-badge.tsx'
import styles from './my-profile.module.css'

export function ProfileFacts({ profile: { name, email, createdAt, isActive } }: { profile: Profile }) {
	return (
		<dl className={styles.facts}>
			<div>
				<dt>Full Name</dt>
				<dd>
					<UserText text={name} />
				</dd>
			</div>
			<div>
				<dt>Email Address</dt>
				<dd>{email}</dd>
			</div>
			<div>
				<dt>Member Since</dt>
				<dd>
					<DateTime iso={createdAt} as="day" />
				</dd>
			</div>
			<div>
				<dt>Account Status</dt>
				<dd>
					<AccountBadge isActive={isActive} />
				</dd>
			</div>
		</dl>
	)
}
