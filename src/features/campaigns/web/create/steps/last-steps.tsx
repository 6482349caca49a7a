import { planText } from '#features/delivery/web/parts.tsx'
import { AdvancedFields, changedChoices } from '../fields/advanced-fields.tsx'
import { ScheduleFields, spell } from '../fields/schedule-choice.tsx'
import { shownProblems } from '../problems.ts'
import { CampaignSummary } from '../summary/campaign-summary.tsx'
import type { Creation } from '../use-create-campaign.ts'
import { FormStep } from './form-step.tsx'
import type { Step } from './step-fields.ts'

interface LastStepsProps {
	creation: Creation
	isDone: (step: Step) => boolean
	hasSend: boolean
	onTest: () => void
}

/** Shows the start of the campaign, and its summary above the button that sends it. */
export function LastSteps({ creation, isDone, hasSend, onTest }: LastStepsProps) {
	const { form, template, audience, problems, steps } = creation
	const { estimate, reading } = audience
	const fields = form.values
	const inputProps = (field: keyof typeof fields) => form.getInputProps(field)
	const messageProblem = problems.find(({ field }) => field === 'templateId' || field.startsWith('variables.'))
	const plan = estimate && estimate.recipients > 0 ? estimate.plan : null
	return (
		<>
			<FormStep
				steps={steps}
				step="when"
				number={3}
				done={isDone('when')}
				line={[fields.schedule === 'now' ? 'Now' : spell(fields) || 'No date yet', ...changedChoices(fields)].join(
					' · ',
				)}
			>
				<ScheduleFields timing={fields} inputProps={inputProps} />
				{estimate && plan && plan.days > 1 && (
					<p role="status">
						<b>{planText(estimate.recipients, plan)}.</b> WhatsApp lets a part through each day. The rest waits and is
						sent automatically.
					</p>
				)}
				<AdvancedFields fields={fields} inputProps={inputProps} />
			</FormStep>
			<FormStep steps={steps} step="check" number={4} done={creation.isReady} line={null}>
				<CampaignSummary
					{...{ fields, estimate, reading }}
					chosen={{ template: template?.name, audience: audience.name }}
					leftOut={audience.leftOut}
					problems={shownProblems(estimate?.problems ?? [], fields, !messageProblem)}
					shortage={creation.missing}
					busy={creation.busy}
					busyText={creation.busyText}
					hasSend={hasSend}
					onTest={() => (messageProblem ? steps.show(messageProblem) : onTest())}
				/>
			</FormStep>
		</>
	)
}
