import { IconPhotoOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useFileSource } from '#lib/web/files/use-file-source.ts'
import { latePart } from '#lib/web/ui/late-part.tsx'
import { mediaFile, type MediaProps } from './media-file.ts'
import styles from './media.module.css'

const Lightbox = latePart(() => import('./lightbox.tsx').then((module) => module.Lightbox))

interface MediaImageProps extends MediaProps {
	isSticker: boolean
}

/** Renders a photo, which opens at full size on click, or a sticker, which does not. */
export function MediaImage({ message, file, isSticker }: MediaImageProps) {
	const { data, isError } = useQuery({ ...mediaFile(message), enabled: !file && message.mediaUrl !== null })
	const shown = file ?? data
	const source = useFileSource(shown)
	const [opened, setOpened] = useState<boolean | null>(null)
	const [isBroken, setIsBroken] = useState(false)
	const alt = message.text ? `Photo: ${message.text}` : 'Photo'
	if (isError || isBroken)
		return (
			<span className={styles.box} data-sticker={isSticker}>
				<IconPhotoOff size={28} aria-hidden />
				<span className="visually-hidden">This picture cannot be shown</span>
			</span>
		)
	const picture = shown ? (
		<img ref={source} alt={isSticker ? 'Sticker' : alt} onError={() => setIsBroken(true)} />
	) : (
		<span className="visually-hidden">Loading the picture</span>
	)
	if (isSticker || !shown)
		return (
			<span className={styles.box} data-sticker={isSticker}>
				{picture}
			</span>
		)
	return (
		<>
			<button type="button" className={styles.box} onClick={() => setOpened(true)}>
				<img className={styles.backdrop} ref={source} alt="" aria-hidden />
				{picture}
			</button>
			{opened !== null && (
				<Lightbox
					opened={opened}
					file={shown}
					name={message.mediaName ?? shown.name}
					alt={alt}
					onClose={() => setOpened(false)}
				/>
			)}
		</>
	)
}
