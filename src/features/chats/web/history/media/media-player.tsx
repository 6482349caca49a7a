import { IconPlayerPlayFilled } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useFileSource } from '#lib/web/files/use-file-source.ts'
import { mediaFile, type MediaProps } from './media-file.ts'
import styles from './media.module.css'

interface MediaPlayerProps extends MediaProps {
	kind: 'video' | 'audio'
}

/** Renders a video or audio file, which is fetched on click. */
export function MediaPlayer({ message, file, kind }: MediaPlayerProps) {
	const [wanted, setWanted] = useState(false)
	const { data, isError, refetch } = useQuery({ ...mediaFile(message), enabled: wanted && !file })
	const shown = wanted ? (file ?? data) : null
	const source = useFileSource(shown)
	const name = kind === 'video' ? 'video' : 'audio message'
	if (shown && kind === 'video')
		return (
			// oxlint-disable-next-line jsx-a11y/media-has-caption -- WhatsApp videos carry no captions.
			<video className={styles.video} ref={source} controls autoPlay playsInline aria-label="Video" />
		)
	if (shown)
		return (
			// oxlint-disable-next-line jsx-a11y/media-has-caption -- WhatsApp audio messages carry no captions.
			<audio className={styles.audio} ref={source} controls autoPlay aria-label="Audio message" />
		)
	const press = () => {
		if (isError) void refetch()
		setWanted(true)
	}
	return (
		<button type="button" className={kind === 'video' ? styles.video : styles.audio} onClick={press}>
			<span className={`disc ${styles.play}`}>
				<IconPlayerPlayFilled size={20} aria-hidden />
			</span>
			{isError ? `The ${name} could not be loaded. Try again` : wanted ? 'Loading...' : `Play ${name}`}
		</button>
	)
}
