import { useEffect, useRef, useState } from 'react'
import { HEADER_FILE_LIMITS, headerTooLarge, maxHeaderBytes, type MediaHeader } from '#features/templates/limits.ts'
import { headerFileProblem } from '#features/templates/rules.ts'
import { Notice } from '#lib/web/ui/feedback/notice.tsx'
import { FileDrop } from '#lib/web/ui/form/file-drop.tsx'
import type { ShownFile } from '../parts.tsx'
import { videoToMp4 } from '../video-to-mp4.ts'
import type { SectionProps } from './sections/section-props.ts'
import type { ChosenFiles } from './template-fields.ts'

/** The file of one header. */
interface HeaderFileState {
	file: File | null
	choose: (file: File | null) => void
	/** False when the account has no App ID, which Meta's upload requires; undefined while loading. */
	canUpload: boolean | undefined
}

export interface HeaderFiles {
	chosen: ChosenFiles
	/** Returns the file of the header under this key of `ChosenFiles`. */
	at: (key: string) => HeaderFileState
	/** Returns the file under this key for the preview; null without one. */
	shownAt: (key: string) => ShownFile | null
}

/** Holds the files chosen for headers, with object URLs for the preview, which are revoked when the form closes. */
export function useHeaderFiles(canUpload: boolean | undefined): HeaderFiles {
	const [picked, setPicked] = useState<readonly PickedFile[]>([])
	const urls = useRef<string[]>([])
	useEffect(() => {
		const made = urls.current
		return () => made.forEach((url) => URL.revokeObjectURL(url))
	}, [])
	const choose = (key: string, file: File | null) => {
		const url = file && URL.createObjectURL(file)
		if (url) urls.current.push(url)
		setPicked((before) => [
			...before.filter((other) => other.key !== key),
			...(file && url ? [{ key, file, url }] : []),
		])
	}
	const find = (key: string) => picked.find((one) => one.key === key)
	return {
		chosen: new Map(picked.map(({ key, file }) => [key, file])),
		at: (key) => ({ file: find(key)?.file ?? null, choose: (file) => choose(key, file), canUpload }),
		shownAt: (key) => {
			const found = find(key)
			return found ? { url: found.url, name: found.file.name } : null
		},
	}
}

interface PickedFile {
	key: string
	file: File
	url: string
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
	/** Path of the field's errors. */
	path: string
	/** True when the file of the copied template is used without a new one. */
	isReused: boolean
}

export function HeaderFile({ form, type, headerFile, path, isReused }: HeaderFileProps) {
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
		if (problem) return form.setFieldError(path, problem)
		form.clearFieldError(path)
		choose(taken)
	}
	if (canUpload === false)
		return (
			<div data-path={path} tabIndex={-1}>
				<Notice tone="warn" title="Your account has no App ID yet" role="status">
					WhatsApp accepts header files only through a Meta app. Ask your administrator to add the App ID to your
					WhatsApp credentials, or choose a text header.
				</Notice>
			</div>
		)
	return (
		<div data-path={path} tabIndex={-1}>
			<FileDrop
				label={`Drop ${typesText} here or click to choose`}
				hint={`${HINTS[type]}, up to ${maxMegabytes} MB${isReused && !file ? '. Without a new file, the original one is used.' : ''}`}
				accept={ACCEPTED[type]}
				maxBytes={maxHeaderBytes(type)}
				file={file}
				onFile={(chosen) => void take(chosen)}
				onReject={(rejected, reason) =>
					form.setFieldError(path, reason === 'size' ? headerTooLarge(type) : wrongType(type, rejected))
				}
				error={form.errors[path] as string | undefined}
			/>
			<p className="quiet">WhatsApp reviews this file, and campaigns send it.</p>
		</div>
	)
}

function wrongType(type: MediaHeader, file: File): string {
	return headerFileProblem(type, file) || `This file is not ${HEADER_FILE_LIMITS[type].typesText}`
}
