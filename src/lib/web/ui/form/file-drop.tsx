import { ActionIcon, Box, Group, Stack } from '@mantine/core'
import { Dropzone, type FileRejection } from '@mantine/dropzone'
import { IconFileCheck, IconUpload, IconX } from '@tabler/icons-react'
import { useRef, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { fileSize } from '#lib/web/file-size.ts'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import styles from './file-drop.module.css'

interface FileDropProps {
	/** What is asked for, on the zone and for screen readers: "Drop a CSV or Excel file here or click to choose". */
	label: string
	/** A quiet line: types and size. */
	hint?: ReactNode
	/** `{ 'text/csv': ['.csv'] }`; without it any file may come and the screen decides. */
	accept?: Record<string, string[]>
	maxBytes?: number
	/** The chosen file, shown with a button that takes it away. */
	file: File | null
	onFile: (file: File | null) => void
	/** A file of another type or one that is too large. */
	onReject?: (file: File, reason: 'type' | 'size') => void
	error?: string
	disabled?: boolean
}

export function FileDrop(props: FileDropProps) {
	const { label, hint, accept, maxBytes, file, onFile, onReject, error, disabled } = props
	const root = useRef<HTMLDivElement>(null)
	/** The zone gives way to the file's button, and the button to the zone: the focus goes to what comes. */
	const change = (next: File | null) => {
		flushSync(() => onFile(next))
		root.current?.querySelector<HTMLElement>('button, [tabindex="0"]')?.focus()
	}
	const refuse = ([first]: FileRejection[]) => {
		if (!first) return
		onReject?.(first.file, first.errors.some(({ code }) => code === 'file-too-large') ? 'size' : 'type')
	}
	return (
		<div ref={root}>
			{file ? (
				<Group className={styles.chosen} gap={12} wrap="nowrap">
					<IconFileCheck size={24} aria-hidden />
					<Stack className="grow" gap={0}>
						<UserText className={styles.name} text={file.name} />
						<span className="quiet">{fileSize(file.size)}</span>
					</Stack>
					<ActionIcon
						variant="subtle"
						color="gray"
						aria-label={`Remove ${file.name}`}
						disabled={disabled}
						onClick={() => change(null)}
					>
						<IconX size={18} aria-hidden />
					</ActionIcon>
				</Group>
			) : (
				<Dropzone
					className={styles.zone}
					accept={accept}
					maxSize={maxBytes}
					multiple={false}
					disabled={disabled}
					onDrop={([first]) => first && change(first)}
					onReject={refuse}
					inputProps={{ 'aria-label': label }}
					data-invalid={Boolean(error)}
				>
					<IconUpload size={24} aria-hidden />
					<span className={styles.label}>{label}</span>
					{hint && <span className="quiet">{hint}</span>}
				</Dropzone>
			)}
			{error && (
				<Box component="p" className="quiet faulty" mt={4} role="alert">
					{error}
				</Box>
			)}
		</div>
	)
}
