import { Button, Group, Progress, Stack } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { formatCount, percent } from '#lib/numbers.ts'
import { Notice } from '#lib/web/ui/feedback/notice.tsx'
import type { Upload } from './upload-run.ts'
import { reasonOf } from './use-upload.ts'

interface UploadProgressProps {
	upload: Upload
	pause: () => void
	resume: () => void
	stop: () => void
}

export function UploadProgress({ upload, pause, resume, stop }: UploadProgressProps) {
	const { phase, sent, total } = upload
	const text = `${formatCount(sent)} of ${formatCount(total)} rows`
	const isSending = phase === 'sending'
	return (
		<Stack gap={12}>
			<Group gap={12} justify="space-between">
				<span>
					{isSending ? 'Uploading contacts...' : phase === 'paused' ? 'Paused' : 'Waiting for the connection'}
				</span>
				<span className="figures">
					{text} ({percent(total === 0 ? 0 : sent / total)})
				</span>
			</Group>
			<Progress.Root size={10} transitionDuration={180}>
				<Progress.Section
					value={(sent / Math.max(1, total)) * 100}
					{...(!isSending && { color: 'gray' })}
					withAria={false}
					role="progressbar"
					aria-label="Uploading contacts"
					aria-valuemin={0}
					aria-valuemax={total}
					aria-valuenow={sent}
					aria-valuetext={text}
				/>
			</Progress.Root>
			{phase === 'lost' && (
				<Notice tone="warn" role="alert">
					{reasonOf(upload)} Rows uploaded so far are kept. Press Resume to continue.
				</Notice>
			)}
			<Group gap={8}>
				<Button
					variant={isSending ? 'default' : 'filled'}
					leftSection={isSending ? <IconPlayerPause size={16} aria-hidden /> : <IconPlayerPlay size={16} aria-hidden />}
					onClick={isSending ? pause : resume}
				>
					{isSending ? 'Pause' : 'Resume'}
				</Button>
				{!isSending && (
					<Button variant="default" onClick={stop}>
						Stop here
					</Button>
				)}
			</Group>
		</Stack>
	)
}
