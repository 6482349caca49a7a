import { Drawer } from '@mantine/core'
import type { ReactNode } from 'react'
import { useSeenOpening } from './state/use-seen-opening.ts'

interface PreviewDrawerProps {
	opened: boolean
	onClose: () => void
	children: ReactNode
}

export function PreviewDrawer({ opened, ...props }: PreviewDrawerProps) {
	return <Drawer {...props} opened={useSeenOpening(opened)} title="Preview" position="right" size={390} />
}
