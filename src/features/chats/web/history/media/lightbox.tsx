import { Button, Group, Modal } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { saveFile } from '#lib/web/files/save-file.ts'
import { useFileSource } from '#lib/web/files/use-file-source.ts'
import { useSeenOpening } from '#lib/web/ui/state/use-seen-opening.ts'
import styles from './media.module.css'

interface LightboxProps {
	opened: boolean
	file: File
	name: string
	alt: string
	onClose: () => void
}

export function Lightbox({ opened, file, name, alt, onClose }: LightboxProps) {
	const source = useFileSource(file)
	return (
		<Modal opened={useSeenOpening(opened)} onClose={onClose} title="Photo" size="auto">
			<img className={styles.full} ref={source} alt={alt} />
			<Group justify="flex-end" mt={12}>
				<Button
					variant="default"
					leftSection={<IconDownload size={16} aria-hidden />}
					onClick={() => saveFile(file, name)}
				>
					Download
				</Button>
			</Group>
		</Modal>
	)
}
