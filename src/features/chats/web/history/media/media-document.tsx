import { ActionIcon, Group } from '@mantine/core'
import { IconDownload, IconFileText } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { queryClient } from '#lib/web/query.ts'
import { saveFile } from '#lib/web/save-file.ts'
import { chatToast } from '#lib/web/toast.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import { mediaFile } from './media-file.ts'
import type { MediaProps } from './media-props.ts'
import styles from './media.module.css'

const SHORT_TYPES: Record<string, string> = {
	'application/pdf': 'PDF',
	'application/msword': 'Word',
	'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'Word',
	'application/vnd.ms-excel': 'Excel',
	'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'Excel',
	'text/plain': 'Text',
}

/** A document, which is downloaded on click, never opened in the page. */
export function MediaDocument({ message, file }: MediaProps) {
	const name = message.mediaName ?? 'Document'
	const download = useMutation({
		mutationFn: async () => file ?? (await queryClient.fetchQuery(mediaFile(message))),
		onSuccess: (found) => saveFile(found, message.mediaName ?? found.name),
		onError: (error) => chatToast.failure(error, 'Failed to download the file'),
	})
	return (
		<Group className={`well ${styles.document}`} gap={10} wrap="nowrap">
			<IconFileText size={28} stroke={1.5} aria-hidden />
			<span className={`grow ${styles.name}`}>
				<UserText className="one-line" text={name} title={name} />
				<small>{SHORT_TYPES[message.mediaType ?? ''] ?? 'File'}</small>
			</span>
			<ActionIcon
				color="gray"
				aria-label={`Download ${name}`}
				disabled={download.isPending || (!file && !message.mediaUrl)}
				aria-busy={download.isPending}
				onClick={() => download.mutate()}
			>
				<IconDownload size={18} aria-hidden />
			</ActionIcon>
		</Group>
	)
}
