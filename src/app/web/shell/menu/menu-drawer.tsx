import { Drawer } from '@mantine/core'
import { useSeenOpening } from '#lib/web/ui/state/use-seen-opening.ts'
import { Sidebar } from './sidebar.tsx'

interface MenuDrawerProps {
	opened: boolean
	onClose: () => void
}

/** Renders the sidebar of small screens as a drawer, which closes when a link is followed. */
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
