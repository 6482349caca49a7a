import { ActionIcon, Box, Group, Stack } from '@mantine/core'
import { Dropzone, type FileRejection } from '@mantine/dropzone'
import { IconFileCheck, IconUpload, IconX } from '@tabler/icons-react'
import { useRef, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { fileSize } from '#lib/web/files/file-size.ts'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import styles from './file-drop.module.css'

interface FileDropProps {
	/** Instruction in the zone and for screen readers: "Drop a CSV or Excel file here or click to choose". */
	label: string
	/** Secondary line with types and size. */
	hint?: ReactNode
	/** Accepted types, such as `{ 'text/csv': ['.csv'] }`; by default any file is passed on and the screen decides. */
	accept?: Record<string, string[]>
	maxBytes?: number
	/** The chosen file, shown with a remove button. */
	file: File | null
	onFile: (file: File | null) => void
	/** Called for a file of a wrong type or one that is too large. */
	onReject?: (file: File, reason: 'type' | 'size') => void
	error?: string
	disabled?: boolean
}

export function FileDrop(props: FileDropProps) {
	const { label, hint, accept, maxBytes, file, onFile, onReject, error, disabled } = props
	const root = useRef<HTMLDivElement>(null)
	/** Passes on the chosen file and moves the focus, because zone and file button replace each other. */
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
