import { StatusBadge } from '#lib/web/ui/status-badge.tsx'
import { When } from '#lib/web/ui/when.tsx'
import type { Profile } from '../contract.ts'
import styles from './my-profile.module.css'

export function ProfileFacts({ profile: { name, email, createdAt, isActive } }: { profile: Profile }) {
	return (
		<dl className={styles.facts}>
			<div>
				<dt>Full Name</dt>
				<dd>{name}</dd>
			</div>
			<div>
				<dt>Email Address</dt>
				<dd>{email}</dd>
			</div>
			<div>
				<dt>Member Since</dt>
				<dd>
					<When iso={createdAt} as="day" />
				</dd>
			</div>
			<div>
				<dt>Account Status</dt>
				<dd>
					<StatusBadge kind="account" status={isActive ? 'Active' : 'Inactive'} />
				</dd>
			</div>
		</dl>
	)
}
