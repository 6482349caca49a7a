import { ActionIcon, Box, Group } from '@mantine/core'
import { IconDownload, IconFileText } from '@tabler/icons-react'
import { saveFile } from '#lib/web/files/save-file.ts'
import { queryClient } from '#lib/web/query.ts'
import { chatToast } from '#lib/web/toast.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import { useAction } from '#lib/web/use-action.ts'
import { mediaFile, type MediaProps } from './media-file.ts'
import styles from './media.module.css'

const SHORT_TYPES: Record<string, string> = {
	'application/pdf': 'PDF',
	'application/msword': 'Word',
	'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'Word',
	'application/vnd.ms-excel': 'Excel',
	'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'Excel',
	'text/plain': 'Text',
}

/** Renders a document, which is downloaded on click and never opened in the page. */
export function MediaDocument({ message, file }: MediaProps) {
	const name = message.mediaName ?? 'Document'
	const { busy, run } = useAction()
	const download = async () => {
		const found = file ?? (await queryClient.fetchQuery(mediaFile(message)))
		saveFile(found, message.mediaName ?? found.name)
	}
	return (
		<Group className={`well ${styles.document}`} gap={10} wrap="nowrap">
			<IconFileText size={28} stroke={1.5} aria-hidden />
			<span className="grow">
				<UserText className="one-line" text={name} title={name} />
				<Box component="small" className="secondary" fz={12}>
					{SHORT_TYPES[message.mediaType ?? ''] ?? 'File'}
				</Box>
			</span>
			<ActionIcon
				color="gray"
				aria-label={`Download ${name}`}
				disabled={busy || (!file && !message.mediaUrl)}
				aria-busy={busy}
				onClick={() => run(download, (error) => chatToast.failure(error, 'Failed to download the file'))}
			>
				<IconDownload size={18} aria-hidden />
			</ActionIcon>
		</Group>
	)
}
