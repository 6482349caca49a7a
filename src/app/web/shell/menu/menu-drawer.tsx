import { Drawer } from '@mantine/core'
import { useSeenOpening } from '#lib/web/ui/state/use-seen-opening.ts'
import { Sidebar } from './sidebar.tsx'

interface MenuDrawerProps {
	opened: boolean
	onClose: () => void
}

/** The sidebar of small screens: over the page, and gone when one of its links is followed. */
export function MenuDrawer({ opened, onClose }: MenuDrawerProps) {
	return (
		<Drawer
			opened={useSeenOpening(opened)}
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
