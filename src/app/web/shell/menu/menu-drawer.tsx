import { Drawer } from '@mantine/core'
import { useMounted } from '@mantine/hooks'
import { Sidebar } from './sidebar.tsx'

interface MenuDrawerProps {
	opened: boolean
	onClose: () => void
}

/** The sidebar of small screens: over the page, and gone when one of its links is followed. */
export function MenuDrawer({ opened, onClose }: MenuDrawerProps) {
	// Asked for before it had loaded, it opens a moment after it is there: only an opening it sees lets it return the focus.
	const isThere = useMounted()
	return (
		<Drawer
			opened={opened && isThere}
			onClose={onClose}
			size={256}
			padding={0}
			withCloseButton={false}
			attributes={{ content: { 'aria-label': 'Menu' } }}
		>
			<Sidebar onNavigate={onClose} />
		</Drawer>
	)
}
