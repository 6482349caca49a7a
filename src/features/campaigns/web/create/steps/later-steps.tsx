import { Button } from '@mantine/core'
import { IconDeviceMobileMessage } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { planText } from '#features/delivery/web/parts.tsx'
import { templateTitle } from '#features/templates/template-words.ts'
import { AdvancedFields } from '../fields/advanced-fields.tsx'
import { ScheduleFields } from '../fields/schedule-choice.tsx'
import { shownProblems } from '../problems.ts'
import { CampaignSummary } from '../summary/campaign-summary.tsx'
import type { Creation } from '../use-create-campaign.ts'

/** Shows the start of the campaign, and the choices that few campaigns need. */
export function WhenStep({ creation: { form, audience } }: { creation: Creation }) {
	const { estimate } = audience
	const fields = form.values
	const inputProps = (field: keyof typeof fields) => form.getInputProps(field)
	const plan = estimate && estimate.recipients > 0 ? estimate.plan : null
	const refused = shownProblems(estimate?.problems ?? [], fields, true).filter(({ kind }) => kind === 'schedule')
	return (
		<>
			<ScheduleFields timing={fields} inputProps={inputProps} />
			{estimate && plan && plan.days > 1 && (
				<p role="status">
					<b>{planText(estimate.recipients, plan)}.</b> WhatsApp lets a part through each day. The rest waits and is
					sent automatically.
				</p>
			)}
			<AdvancedFields fields={fields} inputProps={inputProps} />
			{refused.map(({ message }) => (
				<p key={message} className="quiet faulty" role="alert">
					{message}
				</p>
			))}
		</>
	)
}

interface CheckStepProps {
	creation: Creation
	/** The send button, unless it is beside the form. */
	send: ReactNode
	onTest: () => void
}

/** Shows the summary of the campaign above the buttons that send. */
export function CheckStep({ creation, send, onTest }: CheckStepProps) {
	const { form, template, audience, problems, steps } = creation
	const { estimate, reading, leftOut } = audience
	const fields = form.values
	const messageProblem = problems.find(({ field }) => field === 'templateId' || field.startsWith('variables.'))
	return (
		<CampaignSummary
			{...{ fields, estimate, reading, leftOut }}
			chosen={{ template: template && templateTitle(template.name), audience: audience.name }}
			problems={shownProblems(estimate?.problems ?? [], fields, !messageProblem)}
			shortage={creation.missing}
		>
			<Button
				variant="default"
				size="md"
				leftSection={<IconDeviceMobileMessage size={18} aria-hidden />}
				onClick={() => (messageProblem ? steps.show(messageProblem) : onTest())}
				disabled={creation.busy}
			>
				Send a test
			</Button>
			{send}
		</CampaignSummary>
	)
}
