import { useState } from 'react'
import { templates, type TemplateRow } from '#features/templates/contract.ts'
import { HEADER_FILE_LIMITS, headerTooLarge, isMediaHeader, maxHeaderBytes } from '#features/templates/limits.ts'
import { headerFileProblem } from '#features/templates/rules.ts'
import { findComponent } from '#features/templates/values.ts'
import { percent } from '#lib/numbers.ts'
import { call } from '#lib/web/api.ts'
import { uploadTransport } from '#lib/web/files/upload.ts'
import { invalidate } from '#lib/web/query.ts'
import { toast } from '#lib/web/toast.tsx'
import { Notice } from '#lib/web/ui/feedback/notice.tsx'
import { FileDrop } from '#lib/web/ui/form/file-drop.tsx'
import { templateError } from '../template-errors.ts'
import { videoToMp4 } from '../video-to-mp4.ts'

/**
 * Renders the upload of a header file, for a template that was created elsewhere and whose sample could not be
 * downloaded. Renders nothing for a text header, or none.
 */
export function UploadHeader({ template }: { template: TemplateRow }) {
	const [progress, setProgress] = useState<number | null>(null)
	const [problem, setProblem] = useState<string | null>(null)
	const format = findComponent(template.components, 'HEADER')?.format?.toUpperCase() ?? ''
	if (!isMediaHeader(format)) return null
	const { maxMegabytes, typesText } = HEADER_FILE_LIMITS[format]
	const upload = async (chosen: File | null) => {
		const file = chosen && (await videoToMp4(chosen))
		const refusal = file && headerFileProblem(format, file)
		setProblem(refusal || null)
		if (!file || refusal) return
		setProgress(0)
		try {
			const { message } = await call(templates.uploadHeaderFile, {
				params: { id: template._id },
				files: { header_file: file },
				transport: uploadTransport(setProgress),
			})
			toast.success(message)
			await invalidate(templates.list, templates.get)
		} catch (error) {
			setProblem(templateError(error, 'The file could not be uploaded'))
		} finally {
			setProgress(null)
		}
	}
	return (
		<div className="stack">
			<Notice tone="warn" title="The header file is missing">
				This template was made elsewhere. Upload the file that its messages should show; campaigns can use it then.
			</Notice>
			<FileDrop
				label={`Drop ${typesText} here or click to choose`}
				hint={progress === null ? `Up to ${maxMegabytes} MB` : `Uploading: ${percent(progress)}`}
				maxBytes={maxHeaderBytes(format)}
				file={null}
				onFile={(file) => void upload(file)}
				onReject={() => setProblem(headerTooLarge(format))}
				disabled={progress !== null}
				{...(problem && { error: problem })}
			/>
		</div>
	)
}
