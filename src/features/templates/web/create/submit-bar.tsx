import { Group } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { percent } from '#lib/numbers.ts'
import { Notice } from '#lib/web/ui/feedback/notice.tsx'
import { SubmitButton } from '#lib/web/ui/form/form-buttons.tsx'
import styles from './create-template.module.css'

interface SubmitBarProps {
	busy: boolean
	/** Uploaded share, 0 to 1; null without an upload. */
	progress: number | null
	refusal: string | null
	/** True for a text of WhatsApp's library, which needs no review. */
	isFromLibrary: boolean
}

export function SubmitBar({ busy, progress, refusal, isFromLibrary }: SubmitBarProps) {
	return (
		<>
			{refusal && (
				<Notice tone="error" title="The template was not created" role="alert">
					{refusal}
				</Notice>
			)}
			<Group className={styles.submit} gap="12px 16px" justify="flex-end">
				{busy && progress !== null ? <UploadProgress part={progress} /> : <Expectation isFromLibrary={isFromLibrary} />}
				<SubmitButton size="md" leftSection={<IconSend size={18} aria-hidden />} busyText="Submitting...">
					Create Template
				</SubmitButton>
			</Group>
		</>
	)
}

function Expectation({ isFromLibrary }: Pick<SubmitBarProps, 'isFromLibrary'>) {
	return (
		<p className="quiet">
			{isFromLibrary
				? 'WhatsApp has approved this text already. You can use the template at once.'
				: 'We submit it to WhatsApp for approval. You can use it once it is approved.'}
		</p>
	)
}

function UploadProgress({ part }: { part: number }) {
	const words = part < 1 ? `Uploading: ${percent(part)}` : 'Waiting for WhatsApp...'
	return (
		<div>
			<p className="quiet" role="status">
				{words}
			</p>
			<progress className={styles.progress} value={part} aria-label="Upload of the files" />
		</div>
	)
}
