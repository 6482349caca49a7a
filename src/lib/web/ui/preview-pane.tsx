import { Box, Button } from '@mantine/core'
import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import { IconDeviceMobile } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { latePart } from './late-part.tsx'
import styles from './preview-pane.module.css'

const PreviewDrawer = latePart(() => import('./preview-drawer.tsx').then((module) => module.PreviewDrawer))

interface PreviewPaneProps {
	children: ReactNode
	/** Facts that stay in view: above the preview on wide screens, in the bar on narrow ones. */
	facts?: ReactNode
	/** The next action: below the facts on wide screens, in the bar on narrow ones. */
	action?: ReactNode
}

/** Renders a preview next to the form on wide screens, and behind a fixed button on narrow ones. */
export function PreviewPane({ children, facts, action }: PreviewPaneProps) {
	const isWide = useMediaQuery('(min-width: 75em)', undefined, { getInitialValueInEffect: false })
	const [opened, { open, close }] = useDisclosure(false)
	if (isWide)
		return (
			<Box component="aside" pos="sticky" top={88} aria-label="Preview">
				{facts && (
					<div className={`surface ${styles.facts}`} data-uncovered>
						{facts}
						{action}
					</div>
				)}
				{children}
			</Box>
		)
	return (
		<>
			<div className={styles.bar} data-plain={!facts} data-uncovered>
				{facts && <div className="grow">{facts}</div>}
				<Button variant="default" className={styles.open} onClick={open}>
					<IconDeviceMobile size={18} aria-hidden />
					<span className={styles.word}>Preview</span>
				</Button>
				{action}
			</div>
			<PreviewDrawer opened={opened} onClose={close}>
				{children}
			</PreviewDrawer>
		</>
	)
}
