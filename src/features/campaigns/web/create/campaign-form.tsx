import { Box, Checkbox } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import type { CampaignDetail } from '#features/campaigns/contract.ts'
import type { OrderProblem } from '#features/campaigns/order-checks.ts'
import { contacts } from '#features/contacts/contract.ts'
import { wallet } from '#features/wallet/contract.ts'
import { query } from '#lib/web/query.ts'
import { LeaveGuard } from '#lib/web/ui/feedback/leave-guard.tsx'
import { MissingPart } from '#lib/web/ui/feedback/load-error.tsx'
import { Form } from '#lib/web/ui/form/form.tsx'
import { PreviewPane } from '#lib/web/ui/preview-pane.tsx'
import { useDraftDialog } from '#lib/web/ui/state/use-draft-dialog.ts'
import { CampaignPreview, type OwnFigures } from './campaign-preview.tsx'
import { AudienceChoice } from './fields/audience-choice.tsx'
import type { CampaignFields } from './fields/campaign-fields.ts'
import { MergeTagsProvider } from './fields/merge-tags.ts'
import { ScheduleSection } from './fields/schedule-choice.tsx'
import { TemplateChoice } from './fields/template-choice.tsx'
import { shownProblems } from './problems.ts'
import { CampaignInfo } from './summary/campaign-info.tsx'
import { CampaignSummary } from './summary/campaign-summary.tsx'
import { CopiedNotice } from './summary/copied-notice.tsx'
import { CreatedNotice } from './summary/created-notice.tsx'
import { SendQuestion } from './summary/send-question.tsx'
import { TEST_DRAFT, TestSend } from './test-send.tsx'
import { refuse, useCreateCampaign } from './use-create-campaign.ts'
import { useFirstContact } from './use-estimate.ts'
import { chosenQuery, useTemplateCount } from './use-templates.ts'

interface CampaignFormProps {
	initial: CampaignFields
	/** Names the draft. */
	draftName: string
	/** The campaign whose fields these are, if any. */
	source: CampaignDetail | undefined
	figures: OwnFigures
}

export function CampaignForm({ initial, draftName, source, figures }: CampaignFormProps) {
	const creation = useCreateCampaign({ initial, draftName })
	const { form, template, file, audience, problems } = creation
	const { estimate, recipient, reading } = audience
	const fields = form.values
	const templateCount = useTemplateCount()
	const chosen = { template: template?.name, audience: audience.name }
	const test = useDraftDialog<never>(TEST_DRAFT)
	const messageProblem = problems.find(isOfMessage)

	return (
		<MergeTagsProvider value={audience.tags}>
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
					<CampaignInfo form={form} templates={templateCount} deliveryRate={figures.data?.month.deliveryRate} />
					<TemplateChoice form={form} template={template} isReady={!messageProblem} count={templateCount} />
					<AudienceChoice form={form} audience={file} />
					<ScheduleSection number={4} timing={fields} inputProps={(field) => form.getInputProps(field)}>
						{template?.category === 'MARKETING' && (
							<SecondTry inputProps={form.getInputProps('retryHeldBack', { type: 'checkbox' })} />
						)}
					</ScheduleSection>
					<CampaignSummary
						{...{ fields, chosen, estimate, reading }}
						counts={audience.counts}
						problems={shownProblems(estimate?.problems ?? [], fields, !messageProblem)}
						isFilledIn={problems.length === 0}
						shortage={creation.shortage}
						busy={creation.busy}
						part={creation.part}
						isReading={file.isReading}
						onTest={() => (messageProblem ? refuse(form, messageProblem) : test.open(null))}
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
				onConfirm={creation.confirm}
				onClose={creation.dismiss}
			/>
			{template && (
				<TestSend dialog={test} {...{ template, recipient }} variables={fields.variables} price={estimate?.price} />
			)}
			<LeaveGuard dirty={form.isDirty() || file.file !== null} title="Leave this campaign?" confirm="Leave">
				It is not sent yet. What you have filled in is kept as a draft in this browser
				{file.file ? ', but the file has to be chosen again.' : '.'}
			</LeaveGuard>
		</MergeTagsProvider>
	)
}

/** Whether a problem is about the template or a value in it. */
function isOfMessage({ field }: OrderProblem): boolean {
	return field === 'templateId' || field.startsWith('variables.')
}

/** One message for all queries around the form's fields that failed; the template picker has its own. */
function MissingCounts({ templateId, figures }: { templateId: string; figures: OwnFigures }) {
	const readings = [
		useFirstContact(''),
		useQuery(query(contacts.groups, { query: { limit: 1000 } })),
		figures,
		useQuery(query(wallet.balance)),
		useQuery({ ...chosenQuery(templateId), enabled: templateId !== '' }),
	]
	return <MissingPart message="Some of this page could not be loaded." readings={readings} />
}

/** Offered for marketing alone: WhatsApp holds back no other messages. */
function SecondTry({ inputProps }: { inputProps: GetInputPropsReturnType }) {
	return (
		<Checkbox
			label="Send again what WhatsApp holds back"
			description="WhatsApp limits how many marketing messages a person gets from all businesses. Tick this to send held-back messages again after 1 day, then 2 days, then 4 days, each time as a campaign of their own, at most at the price of this one. You pay only for messages that are sent."
			{...inputProps}
		/>
	)
}
