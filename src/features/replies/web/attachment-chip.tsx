import { ActionIcon, Box, Group } from '@mantine/core'
import { IconFileText, IconPhoto, IconVideo, IconX } from '@tabler/icons-react'
import { fileSize } from '#lib/web/files/file-size.ts'
import { useFileSource } from '#lib/web/files/use-file-source.ts'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import styles from './attachment-chip.module.css'

export interface AttachmentChipProps {
	/** A chosen file, or name, type and size of a stored one. Only a chosen picture is shown. */
	file: File | Pick<File, 'name' | 'type' | 'size'>
	onRemove: () => void
}

/** Renders the file of a message or of a saved reply, with a button that removes it. */
export function AttachmentChip({ file, onRemove }: AttachmentChipProps) {
	const isImage = file.type.startsWith('image/')
	const picture = isImage && file instanceof File ? file : null
	const source = useFileSource(picture)
	const Mark = isImage ? IconPhoto : file.type.startsWith('video/') ? IconVideo : IconFileText
	return (
		<Group className="well" gap={10} wrap="nowrap" py={6} px={8} mb={8}>
			<span className={`centred ${styles.thumb}`}>
				{picture ? <img ref={source} alt="" /> : <Mark size={22} stroke={1.6} aria-hidden />}
			</span>
			<span className="grow">
				<UserText className="one-line" text={file.name} />
				<Box component="small" className="secondary" fz={12}>
					{fileSize(file.size)}
				</Box>
			</span>
			<ActionIcon color="gray" size={28} aria-label={`Remove ${file.name}`} onClick={onRemove}>
				<IconX size={16} aria-hidden />
			</ActionIcon>
		</Group>
	)
}
