import { AccountActivity } from '#features/auth/web/account-activity.tsx'
import { SecondFactorCard } from '#features/auth/web/second-factor-card.tsx'
import { SessionList } from '#features/auth/web/session-list.tsx'
import { MyProfile } from '#features/users/web/profile/my-profile.tsx'

/** One's profile, and under it where one is signed in and what happened to the account: those belong to sign-in. */
export function MyProfileScreen() {
	return (
		<MyProfile>
			<SecondFactorCard />
			<SessionList />
			<AccountActivity />
		</MyProfile>
	)
}
