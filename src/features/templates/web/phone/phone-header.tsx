import { Group } from '@mantine/core'
import { IconFileText, IconPhoto, IconPlayerPlayFilled } from '@tabler/icons-react'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import styles from './phone-frame.module.css'

export interface PhoneMedia {
	kind: 'IMAGE' | 'VIDEO' | 'DOCUMENT'
	/** Without one, a placeholder of the same size is drawn. */
	url?: string | null
	/** A document's name. */
	name?: string
}

interface PhoneHeaderProps {
	header: { text: string } | { media: PhoneMedia }
}

/** The header above the text of a message's bubble. */
export function PhoneHeader({ header }: PhoneHeaderProps) {
	if ('text' in header) return header.text ? <div className={styles.header}>{header.text}</div> : null
	const { kind, url, name = 'Document.pdf' } = header.media
	if (kind === 'DOCUMENT')
		return (
			<Group className={styles.document} gap={10} wrap="nowrap">
				<IconFileText size={28} aria-hidden />
				<span>
					<UserText text={name} />
					<small>PDF</small>
				</span>
			</Group>
		)
	if (kind === 'IMAGE' && url) return <img className={styles.media} src={url} alt="Header" />
	if (kind === 'VIDEO' && url)
		return <video className={styles.media} src={url} muted controls aria-label="Header video" />
	return (
		<div className={`centred ${styles.media}`}>
			{kind === 'IMAGE' ? <IconPhoto size={40} aria-hidden /> : <IconPlayerPlayFilled size={40} aria-hidden />}
			<span className="visually-hidden">{kind === 'IMAGE' ? 'Image' : 'Video'}</span>
		</div>
	)
}
