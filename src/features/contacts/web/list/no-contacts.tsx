import { Button } from '@mantine/core'
import { IconAddressBook, IconUserSearch } from '@tabler/icons-react'
import { useSearchParams } from 'react-router'
import { EmptyState } from '#lib/web/ui/feedback/empty-state.tsx'

interface NoContactsProps {
	/** A search or a group hides what there may be. */
	isFiltered: boolean
	onAdd: () => void
}

export function NoContacts({ isFiltered, onAdd }: NoContactsProps) {
	const [, setAddress] = useSearchParams()
	if (isFiltered)
		return (
			<EmptyState
				title="No contacts match"
				hint="Try part of the name, the last digits of the number, or another group."
				icon={<IconUserSearch size={32} stroke={1.5} aria-hidden />}
				action={
					<Button variant="default" onClick={() => setAddress({})}>
						Show all contacts
					</Button>
				}
			/>
		)
	return (
		<EmptyState
			title="No contacts yet"
			hint="Add the people you want to reach. Then send campaigns to all of them, or to a group."
			icon={<IconAddressBook size={32} stroke={1.5} aria-hidden />}
			action={
				<Button variant="default" onClick={onAdd}>
					Add your first contact
				</Button>
			}
		/>
	)
}
