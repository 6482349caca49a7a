import { SessionList } from '#features/auth/web/session-list.tsx'
import { MyProfile } from '#features/users/web/profile/my-profile.tsx'

/** One's profile, and under it the places where one is signed in: those belong to sign-in. */
export function MyProfileScreen() {
	return (
		<MyProfile>
			<SessionList />
		</MyProfile>
	)
}
