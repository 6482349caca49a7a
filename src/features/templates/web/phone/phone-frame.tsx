import { Box, Group } from '@mantine/core'
import { IconArrowLeft, IconDotsVertical } from '@tabler/icons-react'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { initialOf } from '#lib/characters.ts'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import { ChatMarkup } from './chat-markup.tsx'
import { PhoneButtons, type PhoneButton } from './phone-buttons.tsx'
import { PhoneHeader, type PhoneMedia } from './phone-header.tsx'
import styles from './phone-frame.module.css'

interface PhoneFrameProps {
	/** The name that customers see; 'Your Business' when it is not known. */
	businessName?: string
	pictureUrl?: string | null
	/** Either a text or a file. */
	header?: { text: string } | { media: PhoneMedia } | null
	body: string
	footer?: string
	buttons?: readonly PhoneButton[]
	/** Under the phone: the estimated reach and its like. */
	children?: ReactNode
}

/** A message as a customer's phone shows it. Its colours are the phone's and do not follow the theme. */
export function PhoneFrame(props: PhoneFrameProps) {
	const { businessName = 'Your Business', pictureUrl, header, body, footer, buttons = [], children } = props
	return (
		<Box component="figure" w="100%" maw={372} m="0 auto" aria-label="Message preview">
			<div className={styles.phone}>
				<PhoneBar businessName={businessName} pictureUrl={pictureUrl} />
				<Wall>
					<div className={styles.bubble}>
						{header && <PhoneHeader header={header} />}
						<div className={styles.text}>
							<div className={styles.body}>
								<ChatMarkup text={body} />
								{!footer && <span className={styles.timeRoom} />}
							</div>
							{footer && (
								<div className={styles.footer}>
									{footer}
									<span className={styles.timeRoom} />
								</div>
							)}
							<span className={styles.time}>10:30 am</span>
						</div>
						<PhoneButtons buttons={buttons} />
					</div>
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

/** What is behind the bubble. It takes the focus when the message is too long for it, so that arrow keys scroll it. */
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

function PhoneBar({ businessName, pictureUrl }: { businessName: string; pictureUrl?: string | null | undefined }) {
	return (
		<Group className={styles.bar} gap={10} wrap="nowrap">
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
