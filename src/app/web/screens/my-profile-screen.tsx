import { AccountActivity } from '#features/auth/web/account-activity.tsx'
import { currentUser } from '#features/auth/web/parts.tsx'
import { SecondFactorCard } from '#features/auth/web/second-factor/second-factor-card.tsx'
import { SessionList } from '#features/auth/web/session-list.tsx'
import { LimitCard } from '#features/delivery/web/parts.tsx'
import { SendingRulesCard } from '#features/delivery/web/sending-rules-card.tsx'
import { PushCard } from '#features/notifications/web/push-card.tsx'
import { AccountData } from '#features/privacy/web/account-data.tsx'
import { MyProfile } from '#features/users/web/profile/my-profile.tsx'

/**
 * Renders the user's profile, and below it settings of this device, sessions, account history and the account's data.
 */
export function MyProfileScreen() {
	return (
		<MyProfile>
			{currentUser()?.role === 'user' && (
				<>
					<PushCard />
					<LimitCard narrow />
					<SendingRulesCard />
				</>
			)}
			<SecondFactorCard />
			<SessionList />
			<AccountActivity />
			<AccountData />
		</MyProfile>
	)
}
