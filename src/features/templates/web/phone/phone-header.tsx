import { Group } from '@mantine/core'
import { IconFileText, IconMapPin, IconPhoto, IconPlayerPlayFilled } from '@tabler/icons-react'
import type { Component } from '#features/templates/contract.ts'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import styles from './phone-frame.module.css'

export interface ShownFile {
	/** Object URL of the file. */
	url: string
	name: string
}

/** Files of a message; null draws a placeholder. */
export interface ShownFiles {
	header: ShownFile | null
	/** In the order of the cards; a missing one draws a placeholder. */
	cards: readonly (ShownFile | null)[]
}

interface PhoneHeaderProps {
	header: Component
	/** Null draws a placeholder of the same size. */
	file: ShownFile | null
}

/** Shows the header above the text of a message. */
export function PhoneHeader({ header, file }: PhoneHeaderProps) {
	const { format = 'TEXT', text } = header
	const kind = format.toUpperCase()
	if (kind === 'LOCATION') return <Place header={header} />
	if (kind === 'TEXT') return text ? <div className={styles.header}>{text}</div> : null
	if (kind === 'DOCUMENT')
		return (
			<Group className={styles.document} gap={10} wrap="nowrap">
				<IconFileText size={28} aria-hidden />
				<span>
					<UserText text={file?.name ?? 'Document.pdf'} />
					<small>PDF</small>
				</span>
			</Group>
		)
	const isVideo = kind === 'VIDEO'
	if (file && isVideo) return <video className={styles.media} src={file.url} muted controls aria-label="Header video" />
	if (file) return <img className={styles.media} src={file.url} alt="Header" />
	return (
		<div className={`centred ${styles.media}`}>
			{isVideo ? <IconPlayerPlayFilled size={40} aria-hidden /> : <IconPhoto size={40} aria-hidden />}
			<span className="visually-hidden">{isVideo ? 'Video' : 'Image'}</span>
		</div>
	)
}

/** Shows a map with the place that the message leads to. */
function Place({ header }: { header: Component }) {
	const { name, address } = (header['location'] ?? {}) as { name?: string; address?: string }
	return (
		<div className={styles.place}>
			<div className={`centred ${styles.media}`}>
				<IconMapPin size={40} aria-hidden />
				<span className="visually-hidden">Map</span>
			</div>
			<b>{name || 'Name of the place'}</b>
			<small>{address || 'Its address'}</small>
		</div>
	)
}
