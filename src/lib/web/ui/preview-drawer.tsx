import { Drawer } from '@mantine/core'
import type { ReactNode } from 'react'

interface PreviewDrawerProps {
	opened: boolean
	onClose: () => void
	children: ReactNode
}

export function PreviewDrawer(props: PreviewDrawerProps) {
	return <Drawer {...props} title="Preview" position="right" size={390} />
}
