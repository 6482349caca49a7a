import { Modal } from '@mantine/core'
import { useRef } from 'react'
import { HealthLine, MissingSetUp } from '#features/dashboards/web/set-up/health-line.tsx'
import { SetUpSteps } from '#features/dashboards/web/set-up/set-up-steps.tsx'
import { DeletedAccountData } from '#features/privacy/web/deleted-account-data.tsx'
import type { UserRow } from '#features/users/contract.ts'
import type { DataOf } from '#features/users/web/manage/deleted-users.tsx'
import { ManageUsers } from '#features/users/web/manage/manage-users.tsx'
import type { MissingOf } from '#features/users/web/parts.tsx'
import { useDialogFor } from '#lib/web/ui/state/use-dialog-for.ts'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import { useSetUpDialogs } from './use-set-up-dialogs.tsx'

/**
 * Renders the list of users with their set-up, and dialogs for credentials and data, which are features that the users
 * feature does not import.
 */
export function ManageUsersScreen() {
	const { actions, dialogs, openKey, isOpen } = useSetUpDialogs()
	const setUp = useDialogFor<UserRow>()
	const user = setUp.subject
	// Step dialogs take the focus in between, so Mantine cannot return it to the button that opened the set-up.
	const opener = useRef<Element>(null)
	const open = (row: UserRow) => {
		opener.current = document.activeElement
		setUp.open(row)
	}
	const returnFocus = () => {
		if (!setUp.opened && opener.current instanceof HTMLElement) opener.current.focus()
	}
	return (
		<>
			<ManageUsers onManageKey={openKey} onSetUp={open} dataOf={dataOf} healthOf={healthOf} missingOf={missingOf} />
			{/* Hidden while a dialog of a step is open, and back afterwards with the new state. */}
			<Modal
				opened={setUp.opened && !isOpen}
				onClose={setUp.close}
				returnFocus={false}
				onExitTransitionEnd={returnFocus}
				size={640}
				title={
					user && (
						<>
							Set-up: <UserText text={user.name} />
						</>
					)
				}
			>
				{user && <SetUpSteps customer={{ ...user, isInvited: user.passwordFrom === 'nobody' }} {...actions} />}
			</Modal>
			{dialogs}
		</>
	)
}

const healthOf = ({ _id }: UserRow) => <HealthLine userId={_id} />

const missingOf: MissingOf = ({ _id }, listed) => <MissingSetUp userId={_id} listed={listed} />

const dataOf: DataOf = ({ _id, name }) => <DeletedAccountData userId={_id} name={name} />
