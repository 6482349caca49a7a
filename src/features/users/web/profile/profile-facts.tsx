import { Box } from '@mantine/core'
import type { Profile } from '#features/users/contract.ts'
import { Notice } from '#lib/web/ui/feedback/notice.tsx'
import { DateTime } from '#lib/web/ui/value/date-time.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import { AccountBadge } from '../account-badge.tsx'
import styles from './my-profile.module.css'

export function ProfileFacts({ profile }: { profile: Profile }) {
	const { name, email, role, createdAt, isActive, pendingEmail } = profile
	return (
		<>
			{pendingEmail && (
				<Box mb={20}>
					<PendingEmail {...pendingEmail} />
				</Box>
			)}
			<dl className={`facts ruled ${styles.facts}`}>
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
				{role === 'user' && <BusinessFacts profile={profile} />}
			</dl>
		</>
	)
}

/** What an unproved change of the address means, and how it is confirmed or taken back. */
function PendingEmail({ oldEmail, until }: NonNullable<Profile['pendingEmail']>) {
	return (
		<Notice tone="info" title="New address waits for confirmation">
			Until <DateTime iso={until} as="day" />, <b>{oldEmail}</b> can also sign in, and alone gets links to reset the
			password. Open the link in our email to that address to confirm the change now. To take it back, enter the old
			address again.
		</Notice>
	)
}

function BusinessFacts({ profile: { businessName, businessAddress, gstin } }: { profile: Profile }) {
	const facts = { 'Business Name': businessName, 'Business Address': businessAddress, GSTIN: gstin }
	return Object.entries(facts).map(([label, text]) => (
		<div key={label}>
			<dt>{label}</dt>
			<dd className="lines">{text || 'Not given'}</dd>
		</div>
	))
}
