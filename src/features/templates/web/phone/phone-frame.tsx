import { Box, Group } from '@mantine/core'
import { IconArrowLeft, IconDotsVertical } from '@tabler/icons-react'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import type { Component } from '#features/templates/contract.ts'
import { cardsOf } from '#features/templates/values.ts'
import { initialOf } from '#lib/text/characters.ts'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import { PhoneBubble } from './phone-bubble.tsx'
import { PhoneCards } from './phone-cards.tsx'
import type { ShownFiles } from './phone-header.tsx'
import styles from './phone-frame.module.css'

interface PhoneFrameProps {
	/** Name that customers see; empty while loading. */
	businessName: string
	pictureUrl: string | null
	components: readonly Component[]
	files: ShownFiles
	/** Content below the phone, such as the estimated reach. */
	children?: ReactNode
}

/** Shows a message as a customer's phone does. The colours are those of WhatsApp's light or dark theme. */
export function PhoneFrame({ businessName, pictureUrl, components, files, children }: PhoneFrameProps) {
	return (
		<Box component="figure" w="100%" maw={372} m="0 auto" aria-label="Message preview">
			<div className={styles.phone}>
				<PhoneBar businessName={businessName} pictureUrl={pictureUrl} />
				<Wall>
					<PhoneBubble components={components} file={files.header} />
					<PhoneCards cards={cardsOf(components)} files={files.cards} />
				</Wall>
			</div>
			{children && (
				<Box component="figcaption" className="quiet" mt={12}>
					{children}
				</Box>
			)}
		</Box>
	)
}

/**
 * Renders the background of the bubble. Focusable when the message is too long for it, so that arrow keys scroll it.
 */
function Wall({ children }: { children: ReactNode }) {
	const wall = useRef<HTMLDivElement>(null)
	const [scrolls, setScrolls] = useState(false)
	useEffect(() => {
		const node = wall.current
		const bubble = node?.firstElementChild
		if (!node || !bubble) return
		const observer = new ResizeObserver(() => setScrolls(node.scrollHeight > node.clientHeight))
		observer.observe(bubble)
		return () => observer.disconnect()
	}, [])
	return (
		<div className={styles.wall} ref={wall} {...(scrolls && { tabIndex: 0, role: 'group', 'aria-label': 'Message' })}>
			{children}
		</div>
	)
}

function PhoneBar({ businessName, pictureUrl }: Pick<PhoneFrameProps, 'businessName' | 'pictureUrl'>) {
	return (
		<Group className={styles.bar} gap={10} wrap="nowrap" data-known={Boolean(businessName)}>
			<IconArrowLeft size={20} aria-hidden />
			{pictureUrl ? (
				<img className={`disc ${styles.picture}`} src={pictureUrl} alt="" width={36} height={36} />
			) : (
				<span className={`disc ${styles.picture}`} aria-hidden>
					{initialOf(businessName)}
				</span>
			)}
			<UserText className={`one-line ${styles.name}`} text={businessName} />
			<IconDotsVertical className={styles.more} size={20} aria-hidden />
		</Group>
	)
}
