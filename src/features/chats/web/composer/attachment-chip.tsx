import { ActionIcon, Box, Group } from '@mantine/core'
import { IconFileText, IconVideo, IconX } from '@tabler/icons-react'
import { fileSize } from '#lib/web/files/file-size.ts'
import { useFileSource } from '#lib/web/files/use-file-source.ts'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import styles from './composer.module.css'

interface AttachmentChipProps {
	file: File
	onRemove: () => void
}

/** Renders the file attached to the message. */
export function AttachmentChip({ file, onRemove }: AttachmentChipProps) {
	const isImage = file.type.startsWith('image/')
	const source = useFileSource(isImage ? file : null)
	const Mark = file.type.startsWith('video/') ? IconVideo : IconFileText
	return (
		<Group className="well" gap={10} wrap="nowrap" py={6} px={8} mb={8}>
			<span className={`centred ${styles.thumb}`}>
				{isImage ? <img ref={source} alt="" /> : <Mark size={22} stroke={1.6} aria-hidden />}
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
