import { Box } from '@mantine/core'
import type { Profile } from '#features/users/contract.ts'
import { Notice } from '#lib/web/ui/feedback/notice.tsx'
import { DateTime } from '#lib/web/ui/value/date-time.tsx'
import { Facts } from '#lib/web/ui/value/facts.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import { AccountBadge } from '../account-badge.tsx'
import styles from './my-profile.module.css'

export function ProfileFacts({ profile }: { profile: Profile }) {
	const { name, email, createdAt, isActive, pendingEmail } = profile
	return (
		<>
			{pendingEmail && (
				<Box mb={20}>
					<PendingEmail {...pendingEmail} />
				</Box>
			)}
			<Facts
				className={`ruled ${styles.facts}`}
				of={{
					'Full Name': <UserText text={name} />,
					'Email Address': email,
					'Member Since': <DateTime iso={createdAt} as="day" />,
					'Account Status': <AccountBadge isActive={isActive} />,
				}}
			/>
		</>
	)
}

/** Explains an unproved change of the address, and how to confirm the change or take it back. */
function PendingEmail({ oldEmail, until }: NonNullable<Profile['pendingEmail']>) {
	return (
		<Notice tone="info" title="New address waits for confirmation">
			Until <DateTime iso={until} as="day" />, <b>{oldEmail}</b> can also sign in, and only that address gets links to
			reset the password. Open the link in our email to that address to confirm the change now. To take it back, enter
			the old address again.
		</Notice>
	)
}
