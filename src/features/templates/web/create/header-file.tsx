import { useEffect, useRef, useState } from 'react'
import { HEADER_FILE_LIMITS, headerTooLarge, maxHeaderBytes, type MediaHeader } from '#features/templates/limits.ts'
import { headerFileProblem } from '#features/templates/rules.ts'
import { Notice } from '#lib/web/ui/feedback/notice.tsx'
import { FileDrop } from '#lib/web/ui/form/file-drop.tsx'
import { videoToMp4 } from '../video-to-mp4.ts'
import type { SectionProps } from './sections/section-props.ts'

export interface HeaderFileState {
	file: File | null
	/** Object URL of the file; null without a file. */
	url: string | null
	choose: (file: File | null) => void
	/** False when the account has no App ID, which Meta's upload requires; undefined while loading. */
	canUpload: boolean | undefined
}

/** Holds the file chosen for the header and an object URL for the preview, which is revoked when the file changes. */
export function useHeaderFileChoice(canUpload: boolean | undefined): HeaderFileState {
	const [file, setFile] = useState<File | null>(null)
	const [url, setUrl] = useState<string | null>(null)
	useEffect(() => () => URL.revokeObjectURL(url ?? ''), [url])
	const choose = (chosen: File | null) => {
		setFile(chosen)
		setUrl(chosen && URL.createObjectURL(chosen))
	}
	return { file, url, choose, canUpload }
}

const ACCEPTED: Record<MediaHeader, Record<string, string[]>> = {
	IMAGE: { 'image/jpeg': ['.jpg', '.jpeg'], 'image/png': ['.png'] },
	VIDEO: { 'video/mp4': ['.mp4'], 'video/3gpp': ['.3gp'] },
	DOCUMENT: { 'application/pdf': ['.pdf'] },
}

const HINTS: Record<MediaHeader, string> = { IMAGE: 'JPEG or PNG', VIDEO: 'MP4 or 3GP', DOCUMENT: 'PDF' }

interface HeaderFileProps {
	form: SectionProps['form']
	type: MediaHeader
	headerFile: HeaderFileState
}

export function HeaderFile({ form, type, headerFile }: HeaderFileProps) {
	const { file, choose, canUpload } = headerFile
	const { maxMegabytes, typesText } = HEADER_FILE_LIMITS[type]
	const latest = useRef<File | null>(null)
	useEffect(() => () => void (latest.current = null), [])
	const take = async (chosen: File | null) => {
		latest.current = chosen
		const taken = chosen && (await videoToMp4(chosen))
		// The user may have chosen another file or another kind of header meanwhile.
		if (latest.current !== chosen) return
		const problem = taken && headerFileProblem(type, taken)
		if (problem) return form.setFieldError('header_file', problem)
		form.clearFieldError('header_file')
		choose(taken)
	}
	if (canUpload === false)
		return (
			<div data-path="header_file" tabIndex={-1}>
				<Notice tone="warn" title="Your account has no App ID yet" role="status">
					WhatsApp accepts header files only through a Meta app. Ask your administrator to add the App ID to your
					WhatsApp credentials, or choose a text header.
				</Notice>
			</div>
		)
	const isReused = form.values.header_from !== '' && !file
	return (
		<div data-path="header_file" tabIndex={-1}>
			<FileDrop
				label={`Drop ${typesText} here or click to choose`}
				hint={`${HINTS[type]}, up to ${maxMegabytes} MB${isReused ? '. Without a new file, the original one is used.' : ''}`}
				accept={ACCEPTED[type]}
				maxBytes={maxHeaderBytes(type)}
				file={file}
				onFile={(chosen) => void take(chosen)}
				onReject={(rejected, reason) =>
					form.setFieldError('header_file', reason === 'size' ? headerTooLarge(type) : wrongType(type, rejected))
				}
				error={form.errors['header_file'] as string | undefined}
			/>
			<p className="quiet">WhatsApp reviews this file, and campaigns send it.</p>
		</div>
	)
}

function wrongType(type: MediaHeader, file: File): string {
	return headerFileProblem(type, file) || `This file is not ${HEADER_FILE_LIMITS[type].typesText}`
}
