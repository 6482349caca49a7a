import { Box } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { segments } from '#features/audiences/segment-contract.ts'
import type { CampaignDetail } from '#features/campaigns/contract.ts'
import { contacts } from '#features/contacts/contract.ts'
import { allCustomFields } from '#features/contacts/web/custom-fields.ts'
import { wallet } from '#features/wallet/contract.ts'
import { query } from '#lib/web/query.ts'
import { LeaveGuard } from '#lib/web/ui/feedback/leave-guard.tsx'
import { MissingPart } from '#lib/web/ui/feedback/load-error.tsx'
import { Form } from '#lib/web/ui/form/form.tsx'
import { latePart, usePreloaded } from '#lib/web/ui/late-part.tsx'
import { PreviewPane } from '#lib/web/ui/preview-pane.tsx'
import { useDraftDialog } from '#lib/web/ui/state/use-draft-dialog.ts'
import type { OwnFigures } from './campaign-preview.tsx'
import { CampaignSections } from './campaign-sections.tsx'
import { TEST_DRAFT, type CampaignFields } from './fields/campaign-fields.ts'
import { CopiedNotice } from './summary/copied-notice.tsx'
import { CreatedNotice } from './summary/created-notice.tsx'
import { SendQuestion } from './summary/send-question.tsx'
import { useCreateCampaign } from './use-create-campaign.ts'
import { useFirstContacts } from './use-estimate.ts'
import { chosenQuery, useTemplateCount } from './use-templates.ts'

const CampaignPreview = latePart(() => import('./campaign-preview.tsx').then((module) => module.CampaignPreview))
const TestSend = latePart(() => import('./test-send.tsx').then((module) => module.TestSend))

interface CampaignFormProps {
	initial: CampaignFields
	/** The name of the draft. */
	draftName: string
	/** The campaign that the fields come from; undefined for a new form. */
	source: CampaignDetail | undefined
	figures: OwnFigures
}

export function CampaignForm({ initial, draftName, source, figures }: CampaignFormProps) {
	const creation = useCreateCampaign({ initial, draftName })
	const { form, template, file, audience } = creation
	const { estimate, recipient, reading } = audience
	const fields = form.values
	const templateCount = useTemplateCount()
	const test = useDraftDialog<never>(TEST_DRAFT)
	usePreloaded(CampaignPreview)

	return (
		<>
			{creation.created && <CreatedNotice key={creation.created._id} campaign={creation.created} />}
			{!creation.created && source && (
				<CopiedNotice
					source={source}
					isUsable={templateCount === undefined || template !== undefined}
					hasFile={file.file !== null}
				/>
			)}
			<Box className="columns" __vars={{ '--columns-aside': '340px' }}>
				<Form state={creation} missing={fields.audienceType === 'file' && 'The file has to be chosen again.'}>
					<MissingCounts templateId={fields.templateId} figures={figures} />
					<CampaignSections
						creation={creation}
						templateCount={templateCount}
						deliveryRate={figures.isError ? null : figures.data?.month.deliveryRate}
						onTest={() => test.open(null)}
					/>
				</Form>
				<PreviewPane>
					<CampaignPreview
						fields={fields}
						template={template}
						recipient={recipient}
						own={figures.data?.month}
						reach={estimate?.recipients ?? (fields.audienceType === 'file' ? 0 : reading.isError ? null : undefined)}
					/>
				</PreviewPane>
			</Box>
			<SendQuestion
				estimate={creation.question}
				fields={fields}
				chosen={{ template: template?.name, audience: audience.name }}
				onConfirm={creation.confirm}
				onClose={creation.dismiss}
			/>
			{template && <TestSend dialog={test} {...{ template, recipient }} variables={fields.variables} />}
			<LeaveGuard dirty={form.isDirty() || file.file !== null} title="Leave this campaign?" confirm="Leave">
				It is not sent yet. What you have filled in is kept as a draft in this browser
				{file.file ? ', but the file has to be chosen again.' : '.'}
			</LeaveGuard>
		</>
	)
}

/** Shows one message for all failed queries around the form's fields. The template picker has its own. */
function MissingCounts({ templateId, figures }: { templateId: string; figures: OwnFigures }) {
	const readings = [
		useFirstContacts(''),
		useQuery(query(contacts.groups, { query: { limit: 1000 } })),
		useQuery(allCustomFields),
		useQuery(query(segments.list)),
		figures,
		useQuery(query(wallet.balance)),
		useQuery({ ...chosenQuery(templateId), enabled: templateId !== '' }),
	]
	return <MissingPart message="Some of this page could not be loaded." readings={readings} />
}
