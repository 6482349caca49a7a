import { useQuery } from '@tanstack/react-query'
import { templates, type TemplateRow } from '#features/templates/contract.ts'
import { isMediaHeader } from '#features/templates/limits.ts'
import { query } from '#lib/web/query.ts'
import { LeaveGuard } from '#lib/web/ui/feedback/leave-guard.tsx'
import { Notice } from '#lib/web/ui/feedback/notice.tsx'
import { Form } from '#lib/web/ui/form/form.tsx'
import { latePart } from '#lib/web/ui/late-part.tsx'
import { PreviewPane } from '#lib/web/ui/preview-pane.tsx'
import { TemplatePreview } from '../parts.tsx'
import { ButtonsSection } from './buttons/buttons-section.tsx'
import { leftOut } from './duplicate.ts'
import { ReadyStart } from './gallery/ready-start.tsx'
import { useHeaderFiles } from './header-file.tsx'
import { previewMessage } from './preview-message.ts'
import { BodySection, FooterSection } from './sections/body-section.tsx'
import { HeaderSection, type HeaderSectionProps } from './sections/header-section.tsx'
import { TemplateInfo } from './sections/template-info.tsx'
import { SubmitBar } from './submit-bar.tsx'
import { HEADER_FILE, isSame, kindOf, type TemplateFields } from './template-fields.ts'
import { useCreateTemplate } from './use-create-template.ts'
import { useHints } from './use-hints.ts'

// Loaded late, because most templates are standard messages in the user's words.
const LibrarySection = latePart(() => import('./sections/library-section.tsx').then((module) => module.LibrarySection))
const PresetSection = latePart(() => import('./sections/preset-section.tsx').then((module) => module.PresetSection))
const CardsSection = latePart(() => import('./cards/cards-section.tsx').then((module) => module.CardsSection))
const OfferSection = latePart(() => import('./sections/offer-section.tsx').then((module) => module.OfferSection))

interface TemplateFormProps {
	/** Initial values of the form: empty, or the copy of a template. */
	initial: TemplateFields
	original: TemplateRow | null
}

export function TemplateForm({ initial, original }: TemplateFormProps) {
	const profile = useQuery({ ...query(templates.profile), retry: false, staleTime: 300_000 })
	const files = useHeaderFiles(profile.data?.canUploadHeader)
	const { progress, refusal, ...state } = useCreateTemplate({ initial, original, files: files.chosen })
	const { form, busy } = state
	const fields = form.values
	const kind = kindOf(fields)
	const hints = useHints(fields, form.errors)
	const isTouched = !isSame(fields, initial)
	return (
		<div className="columns">
			<Form state={state} missing={needsFile(fields) && 'Files have to be chosen again.'}>
				{original ? <LeftOutNotice original={original} /> : <ReadyStart form={form} isTouched={isTouched} />}
				<TemplateInfo form={form} hints={hints} />
				<Sections form={form} hints={hints} files={files} />
				<SubmitBar busy={busy} progress={progress} refusal={refusal} isFromLibrary={fields.library !== null} />
			</Form>
			<PreviewPane>
				<TemplatePreview
					components={previewMessage(fields)}
					template={original && fields.header_from === original._id ? original : undefined}
					file={kind === 'CAROUSEL' ? null : files.shownAt(HEADER_FILE)}
					cards={fields.cards.map(({ key, file_of_card }) => ({ chosen: files.shownAt(key), keptOf: file_of_card }))}
				/>
			</PreviewPane>
			<LeaveGuard dirty={(isTouched || files.chosen.size > 0) && !busy} title="Leave this template?" confirm="Leave">
				It is not submitted yet. Your texts are kept as a draft in this browser
				{files.chosen.size > 0 ? ', but files have to be chosen again.' : '.'}
			</LeaveGuard>
		</div>
	)
}

/** Renders the parts of the message: chosen by the user, or given by WhatsApp. */
function Sections({ form, hints, files }: HeaderSectionProps) {
	const { library, category } = form.values
	const kind = kindOf(form.values)
	if (library !== null) return <LibrarySection form={form} hints={hints} />
	if (category === 'AUTHENTICATION') return <PresetSection form={form} hints={hints} />
	if (kind === 'CAROUSEL')
		return (
			<>
				<BodySection form={form} hints={hints} number={2} />
				<CardsSection form={form} hints={hints} files={files} />
			</>
		)
	const isOffer = kind === 'LIMITED_TIME_OFFER'
	return (
		<>
			<HeaderSection form={form} hints={hints} files={files} />
			<BodySection form={form} hints={hints} />
			{isOffer && <OfferSection form={form} hints={hints} />}
			{!isOffer && <FooterSection form={form} hints={hints} />}
			{!isOffer && <ButtonsSection form={form} hints={hints} />}
		</>
	)
}

function needsFile(fields: TemplateFields): boolean {
	const { header_type, header_from, cards } = fields
	if (kindOf(fields) === 'CAROUSEL') return header_from === '' || cards.some(({ file_of_card }) => file_of_card === 0)
	return isMediaHeader(header_type) && header_from === ''
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
