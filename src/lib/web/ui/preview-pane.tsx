import { Box, Button } from '@mantine/core'
import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import { IconDeviceMobile } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { latePart } from './late-part.tsx'
import styles from './preview-pane.module.css'

const PreviewDrawer = latePart(() => import('./preview-drawer.tsx').then((module) => module.PreviewDrawer))

/** Renders a preview next to the form on wide screens, and behind a fixed button on narrow ones. */
export function PreviewPane({ children }: { children: ReactNode }) {
	const isWide = useMediaQuery('(min-width: 75em)', undefined, { getInitialValueInEffect: false })
	const [opened, { open, close }] = useDisclosure(false)
	if (isWide)
		return (
			<Box component="aside" pos="sticky" top={88} aria-label="Preview">
				{children}
			</Box>
		)
	return (
		<>
			<div className={styles.bar}>
				<Button variant="default" leftSection={<IconDeviceMobile size={18} aria-hidden />} onClick={open}>
					Preview
				</Button>
			</div>
			<PreviewDrawer opened={opened} onClose={close}>
				{children}
			</PreviewDrawer>
		</>
	)
}
