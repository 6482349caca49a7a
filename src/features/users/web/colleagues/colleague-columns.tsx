import { Button, Group } from '@mantine/core'
import { SEAT_NAMES } from '#features/auth/seat-names.ts'
import { colleagues, type Colleague } from '#features/users/colleague-contract.ts'
import { call } from '#lib/web/api.ts'
import { toast } from '#lib/web/toast.tsx'
import { ActionButton } from '#lib/web/ui/form/action-button.tsx'
import type { Column } from '#lib/web/ui/table/data-table.tsx'
import { emailColumn, nameColumn } from '#lib/web/ui/table/row/person-columns.tsx'
import { DateTime } from '#lib/web/ui/value/date-time.tsx'

interface Actions {
	onSeat: (colleague: Colleague) => void
	onRemove: (colleague: Colleague) => void
}

export function colleagueColumns({ onSeat, onRemove }: Actions): Column<Colleague>[] {
	return [
		nameColumn,
		emailColumn,
		{ header: 'Role', minWidth: 150, cell: ({ seat }) => SEAT_NAMES[seat] },
		{ header: 'Two-step login', minWidth: 110, cell: ({ hasSecondFactor }) => (hasSecondFactor ? 'On' : 'Off') },
		{ header: 'Last seen', minWidth: 150, cell: (colleague) => <LastSeen colleague={colleague} /> },
		{
			header: 'Actions',
			minWidth: 210,
			cell: (colleague) => (
				<Group gap={8} wrap="nowrap">
					<Button size="xs" variant="default" onClick={() => onSeat(colleague)}>
						Change role
					</Button>
					<Button size="xs" variant="outline" color="red" onClick={() => onRemove(colleague)}>
						Remove
					</Button>
				</Group>
			),
		},
	]
}

/** Renders when the colleague was last active, and for an invited one the button that mails the link again. */
function LastSeen({ colleague: { _id, isInvited, lastSeenAt } }: { colleague: Colleague }) {
	if (!isInvited) return lastSeenAt ? <DateTime iso={lastSeenAt} /> : 'Signed out'
	const inviteAgain = async () => {
		toast.success((await call(colleagues.inviteAgain, { params: { id: _id } })).message)
	}
	return (
		<Group gap={8} wrap="nowrap">
			Invited
			<ActionButton
				size="xs"
				variant="default"
				act={inviteAgain}
				failed={(error) => toast.failure(error, 'Failed to email the link')}
			>
				Email again
			</ActionButton>
		</Group>
	)
}
