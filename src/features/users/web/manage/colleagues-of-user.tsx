import { useQuery } from '@tanstack/react-query'
import { SEAT_NAMES } from '#features/auth/seat-names.ts'
import { colleagues } from '#features/users/colleague-contract.ts'
import { query } from '#lib/web/query.ts'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import { ResetSecondFactor } from '../reset-second-factor.tsx'

/** Lists the colleagues in a user's account for an admin, who can reset a lost second factor. */
export function ColleaguesOfUser({ userId }: { userId: string }) {
	const list = useQuery(query(colleagues.ofUser, { params: { id: userId } }))
	if (list.error) return 'Could not be loaded'
	if (!list.data) return null
	if (list.data.colleagues.length === 0) return 'None'
	return (
		<ul className="bare">
			{list.data.colleagues.map(({ _id, name, email, seat, isInvited, hasSecondFactor }) => (
				<li key={_id}>
					<UserText text={name} /> ({email}), {SEAT_NAMES[seat]}
					{isInvited && ', invited'}
					{hasSecondFactor && (
						<>
							. Two-step login: <ResetSecondFactor id={_id} onReset={() => {}} />
						</>
					)}
				</li>
			))}
		</ul>
	)
}
