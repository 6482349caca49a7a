import { Box } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconSend } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { segments } from '#features/audiences/segment-contract.ts'
import type { CampaignDetail } from '#features/campaigns/contract.ts'
import { contacts } from '#features/contacts/contract.ts'
import { allCustomFields } from '#features/contacts/web/custom-fields.ts'
import { templateTitle } from '#features/templates/template-words.ts'
import { wallet } from '#features/wallet/contract.ts'
import { query } from '#lib/web/query.ts'
import { LeaveGuard } from '#lib/web/ui/feedback/leave-guard.tsx'
import { MissingPart } from '#lib/web/ui/feedback/load-error.tsx'
import { BusyButton } from '#lib/web/ui/form/busy-button.tsx'
import { Form } from '#lib/web/ui/form/form.tsx'
import { latePart, usePreloaded } from '#lib/web/ui/late-part.tsx'
import { PreviewPane } from '#lib/web/ui/preview-pane.tsx'
import { useDraftDialog } from '#lib/web/ui/state/use-draft-dialog.ts'
import type { OwnFigures } from './campaign-preview.tsx'
import { TEST_DRAFT, type CampaignFields } from './fields/campaign-fields.ts'
import { CampaignSteps } from './steps/campaign-steps.tsx'
import { QUIET_SEND } from './steps/steps.ts'
import { CopiedNotice } from './summary/copied-notice.tsx'
import { CostLine } from './summary/cost-line.tsx'
import { SendQuestion } from './summary/send-question.tsx'
import { useCreateCampaign, type Creation } from './use-create-campaign.ts'
import { useFirstContacts } from './use-estimate.ts'
import { chosenQuery, useTemplateCount } from './use-templates.ts'

const CampaignPreview = latePart(() => import('./campaign-preview.tsx').then((module) => module.CampaignPreview))
const TestSend = latePart(() => import('./test-send.tsx').then((module) => module.TestSend))

const SEND_ICON = <IconSend size={18} aria-hidden />

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
	const { form, template, file, audience, steps } = creation
	const fields = form.values
	const templateCount = useTemplateCount()
	const test = useDraftDialog<never>(TEST_DRAFT)
	usePreloaded(CampaignPreview)
	// In a narrow window the send button is in the bar; in a wide one beside the form, or in the last step while it is open.
	const isNarrow = useMediaQuery('(max-width: 74.99em)', undefined, { getInitialValueInEffect: false })
	const isSendInStep = !isNarrow && steps.current === 'check'
	const send = <SendButton creation={creation} />

	return (
		<>
			{source && (
				<CopiedNotice
					source={source}
					isUsable={templateCount === undefined || template !== undefined}
					hasFile={file.file !== null}
				/>
			)}
			<Box className="columns" __vars={{ '--columns-aside': '340px' }}>
				<Form
					state={{ ...creation, onSubmit: steps.next }}
					missing={fields.audienceType === 'file' && 'The file has to be chosen again.'}
				>
					<MissingCounts templateId={fields.templateId} figures={figures} estimate={audience.reading} />
					<CampaignSteps
						creation={creation}
						templateCount={templateCount}
						deliveryRate={figures.isError ? null : figures.data?.month.deliveryRate}
						send={isSendInStep && send}
						onTest={() => test.open(null)}
					/>
				</Form>
				<PreviewColumn creation={creation} figures={figures} send={!isSendInStep && send} />
			</Box>
			<SendQuestion
				estimate={creation.question}
				fields={fields}
				chosen={{ template: template && templateTitle(template.name), audience: audience.name }}
				onConfirm={creation.confirm}
				onClose={creation.dismiss}
			/>
			{template && (
				<TestSend dialog={test} template={template} recipient={audience.recipient} variables={fields.variables} />
			)}
			<LeaveGuard
				dirty={!creation.busy && (form.isDirty() || file.file !== null)}
				isStored
				title="Leave this campaign?"
				confirm="Leave"
			>
				It is not sent yet. What you have filled in is kept as a draft in this browser
				{file.file ? ', but the file has to be chosen again.' : '.'}
			</LeaveGuard>
		</>
	)
}

function SendButton({ creation: { steps, isReady, busy, busyText, send } }: { creation: Creation }) {
	const isChecked = steps.current === 'check'
	// Quiet until the form is complete, as it then only shows what is missing.
	const look = isChecked || isReady ? { variant: isChecked ? 'filled' : 'default', leftSection: SEND_ICON } : QUIET_SEND
	return (
		<BusyButton size="md" {...look} busy={busy} busyText={busyText} onClick={send}>
			Send Campaign
		</BusyButton>
	)
}

interface PreviewColumnProps {
	creation: Creation
	figures: OwnFigures
	/** The send button, unless it is in the last step. */
	send: ReactNode
}

/** Shows the message, the cost and the send button beside the form; on narrow windows cost and button in a bar. */
function PreviewColumn({ creation, figures, send }: PreviewColumnProps) {
	const { form, template, audience, missing } = creation
	const { estimate, recipients, reading } = audience
	const unknown = form.values.audienceType === 'file' ? 0 : reading.isError ? null : undefined
	return (
		<PreviewPane
			facts={<CostLine hasTemplate={template !== undefined} estimate={estimate} missing={missing} />}
			action={send}
		>
			<CampaignPreview
				fields={form.values}
				template={template}
				recipients={recipients}
				own={figures.data?.month}
				reach={estimate?.recipients ?? unknown}
				match={estimate?.files}
			/>
		</PreviewPane>
	)
}

interface MissingCountsProps {
	templateId: string
	figures: OwnFigures
	estimate: Creation['audience']['reading']
}

/** Shows one message for all failed queries of the form except those of the template picker, which shows its own. */
function MissingCounts({ templateId, figures, estimate }: MissingCountsProps) {
	const readings = [
		useFirstContacts(''),
		useQuery(query(contacts.groups, { query: { limit: 1000 } })),
		useQuery(allCustomFields),
		useQuery(query(segments.list)),
		figures,
		estimate,
		useQuery(query(wallet.balance)),
		useQuery({ ...chosenQuery(templateId), enabled: templateId !== '' }),
	]
	return <MissingPart message="Some of this page could not be loaded." readings={readings} />
}
