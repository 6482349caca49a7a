import { SetUpSteps } from '#features/dashboards/web/set-up/set-up-steps.tsx'
import { CreateUser } from '#features/users/web/manage/create-user.tsx'
import type { Created } from '#features/users/web/manage/created-user.tsx'
import { useSetUpDialogs } from './use-set-up-dialogs.tsx'

/** Renders the form for a new account, and the set-up of a created customer with the dialogs of other features. */
export function CreateUserScreen() {
	const { actions, dialogs } = useSetUpDialogs()
	const setUpOf = ({ user, password }: Created) => (
		<SetUpSteps customer={{ ...user, isInvited: password === null }} {...actions} />
	)
	return (
		<>
			<CreateUser setUpOf={setUpOf} />
			{dialogs}
		</>
	)
}
