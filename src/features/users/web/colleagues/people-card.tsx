import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus, IconUsers } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { colleagues, type Colleague } from '#features/users/colleague-contract.ts'
import { query } from '#lib/web/query.ts'
import { EmptyState } from '#lib/web/ui/feedback/empty-state.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { useDialogFor } from '#lib/web/ui/state/use-dialog-for.ts'
import { DataTable } from '#lib/web/ui/table/data-table.tsx'
import { colleagueColumns } from './colleague-columns.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { RemoveColleague } from './remove-colleague.tsx'
import { SeatDialog } from './seat-dialog.tsx'

/** Renders the colleagues of the account for its owner, who invites, changes and removes them. */
export function PeopleCard() {
	const list = useQuery(query(colleagues.list))
	const [isInviting, inviting] = useDisclosure(false)
	const changing = useDialogFor<Colleague>()
	const removing = useDialogFor<Colleague>()
	return (
		<>
			<Card
				flush
				title="People"
				hint="Each colleague gets their own login. You are the owner: you choose what each may do, and can remove them at any time."
				actions={
					<Button leftSection={<IconPlus size={16} aria-hidden />} onClick={inviting.open}>
						Invite colleague
					</Button>
				}
			>
				<DataTable
					label="People"
					query={list}
					rows={list.data?.colleagues}
					rowKey={({ _id }) => _id}
					columns={colleagueColumns({ onSeat: changing.open, onRemove: removing.open })}
					empty={
						<EmptyState
							title="No colleagues yet"
							hint="Invite the people who answer customers or plan campaigns with you."
							icon={<IconUsers size={32} stroke={1.5} aria-hidden />}
						/>
					}
					failed="Failed to fetch people"
				/>
			</Card>
			<InviteDialog dialog={{ opened: isInviting, close: inviting.close }} />
			<SeatDialog dialog={changing} />
			<RemoveColleague dialog={removing} />
		</>
	)
}
