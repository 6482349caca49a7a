import { useQuery } from '@tanstack/react-query'
import { templates, type TemplateRow } from '#features/templates/contract.ts'
import { query } from '#lib/web/query.ts'
import { LeaveGuard } from '#lib/web/ui/feedback/leave-guard.tsx'
import { Notice } from '#lib/web/ui/feedback/notice.tsx'
import { Form } from '#lib/web/ui/form/form.tsx'
import { PreviewPane } from '#lib/web/ui/preview-pane.tsx'
import { TemplatePreview } from '../parts.tsx'
import { ButtonsSection } from './buttons/buttons-section.tsx'
import { leftOut } from './duplicate.ts'
import { ReadyStart } from './gallery/ready-start.tsx'
import { useHeaderFileChoice } from './header-file.tsx'
import { previewMessage } from './preview-message.ts'
import { BodySection, FooterSection } from './sections/body-section.tsx'
import { HeaderSection, type HeaderSectionProps } from './sections/header-section.tsx'
import { LibrarySection } from './sections/library-section.tsx'
import { PresetSection } from './sections/preset-section.tsx'
import { TemplateInfo } from './sections/template-info.tsx'
import { SubmitBar } from './submit-bar.tsx'
import { isSame, type TemplateFields } from './template-fields.ts'
import { useCreateTemplate } from './use-create-template.ts'
import { useHints } from './use-hints.ts'

interface TemplateFormProps {
	/** Initial values of the form: empty, or the copy of a template. */
	initial: TemplateFields
	original: TemplateRow | null
}

export function TemplateForm({ initial, original }: TemplateFormProps) {
	const profile = useQuery({ ...query(templates.profile), retry: false, staleTime: 300_000 })
	const headerFile = useHeaderFileChoice(profile.data?.canUploadHeader)
	const { file, url } = headerFile
	const { progress, refusal, ...state } = useCreateTemplate({ initial, original, headerFile: file })
	const { form, busy } = state
	const fields = form.values
	const hints = useHints(fields, form.errors)
	const isTouched = !isSame(fields, initial)
	return (
		<div className="columns">
			<Form state={state} missing={needsFile(fields) && 'The header file has to be chosen again.'}>
				{original ? <LeftOutNotice original={original} /> : <ReadyStart form={form} isTouched={isTouched} />}
				<TemplateInfo form={form} hints={hints} />
				<Sections form={form} hints={hints} headerFile={headerFile} />
				<SubmitBar busy={busy} progress={progress} refusal={refusal} isFromLibrary={fields.library !== null} />
			</Form>
			<PreviewPane>
				<TemplatePreview
					components={previewMessage(fields)}
					template={original && fields.header_from === original._id ? original : undefined}
					file={file && url ? { url, name: file.name } : null}
				/>
			</PreviewPane>
			<LeaveGuard dirty={(isTouched || file !== null) && !busy} title="Leave this template?" confirm="Leave">
				It is not submitted yet. Your texts are kept as a draft in this browser
				{file ? ', but the header file has to be chosen again.' : '.'}
			</LeaveGuard>
		</div>
	)
}

/** Renders the parts of the message: chosen by the user, or given by WhatsApp. */
function Sections({ form, hints, headerFile }: HeaderSectionProps) {
	if (form.values.library !== null) return <LibrarySection form={form} hints={hints} />
	if (form.values.category === 'AUTHENTICATION') return <PresetSection form={form} hints={hints} />
	return (
		<>
			<HeaderSection form={form} hints={hints} headerFile={headerFile} />
			<BodySection form={form} hints={hints} />
			<FooterSection form={form} hints={hints} />
			<ButtonsSection form={form} hints={hints} />
		</>
	)
}

function needsFile({ header_type, header_from }: TemplateFields): boolean {
	return ['IMAGE', 'VIDEO', 'DOCUMENT'].includes(header_type) && header_from === ''
}

function LeftOutNotice({ original }: { original: TemplateRow }) {
	const missing = leftOut(original)
	if (missing.length === 0) return null
	return (
		<Notice tone="info">
			This form cannot create every part of “{original.name}”. Not copied: {missing.join(', ')}.
		</Notice>
	)
}
