import { useState } from 'react'
import { templates, type TemplateRow } from '#features/templates/contract.ts'
import { HEADER_FILE_LIMITS, headerTooLarge, maxHeaderBytes } from '#features/templates/limits.ts'
import { headerFileProblem } from '#features/templates/rules.ts'
import { cardsOf, mediaPlacesOf, type MediaPlace } from '#features/templates/values.ts'
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
 * Renders the uploads of missing header files, for a template that was created elsewhere and whose samples could not be
 * downloaded.
 */
export function UploadHeader({ template }: { template: TemplateRow }) {
	const { components, mediaUrl, cardMediaUrls } = template
	const missing = mediaPlacesOf(components).filter(({ card }) => !(card === null ? mediaUrl : cardMediaUrls[card]))
	const what = cardsOf(components).length > 0 ? 'Files of the cards are missing' : 'The header file is missing'
	return (
		<div className="stack">
			<Notice tone="warn" title={what}>
				This template was made elsewhere. Upload the {missing.length > 1 ? 'files' : 'file'} that its messages should
				show; campaigns can use it then.
			</Notice>
			{missing.map((place) => (
				<UploadFile key={place.card} id={template._id} place={place} />
			))}
		</div>
	)
}

function UploadFile({ id, place: { card, kind } }: { id: string; place: MediaPlace }) {
	const [progress, setProgress] = useState<number | null>(null)
	const [problem, setProblem] = useState<string | null>(null)
	const { maxMegabytes, typesText } = HEADER_FILE_LIMITS[kind]
	const upload = async (chosen: File | null) => {
		const file = chosen && (await videoToMp4(chosen))
		const refusal = file && headerFileProblem(kind, file)
		setProblem(refusal || null)
		if (!file || refusal) return
		setProgress(0)
		try {
			const { message } = await call(templates.uploadHeaderFile, {
				params: { id },
				body: card === null ? {} : { card: String(card + 1) },
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
		<FileDrop
			label={`${card === null ? '' : `Card ${card + 1}: `}Drop ${typesText} here or click to choose`}
			hint={progress === null ? `Up to ${maxMegabytes} MB` : `Uploading: ${percent(progress)}`}
			maxBytes={maxHeaderBytes(kind)}
			file={null}
			onFile={(file) => void upload(file)}
			onReject={() => setProblem(headerTooLarge(kind))}
			disabled={progress !== null}
			{...(problem && { error: problem })}
		/>
	)
}
