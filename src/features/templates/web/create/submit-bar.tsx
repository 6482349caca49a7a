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
}

export function SubmitBar({ busy, progress, refusal }: SubmitBarProps) {
	return (
		<>
			{refusal && (
				<Notice tone="error" title="The template was not created" role="alert">
					{refusal}
				</Notice>
			)}
			<Group className={styles.submit} gap="12px 16px" justify="flex-end">
				{busy && progress !== null ? <UploadProgress part={progress} /> : <Expectation />}
				<SubmitButton size="md" leftSection={<IconSend size={18} aria-hidden />} busyText="Submitting...">
					Create Template
				</SubmitButton>
			</Group>
		</>
	)
}

function Expectation() {
	return <p className="quiet">We submit it to WhatsApp for approval. You can use it once it is approved.</p>
}

function UploadProgress({ part }: { part: number }) {
	const words = part < 1 ? `Uploading the header file: ${percent(part)}` : 'Waiting for WhatsApp...'
	return (
		<div>
			<p className="quiet" role="status">
				{words}
			</p>
			<progress className={styles.progress} value={part} aria-label="Upload of the header file" />
		</div>
	)
}
