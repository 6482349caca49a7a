import { VariableInputs } from '#features/audiences/web/parts.tsx'
import { slotsOf } from '#features/templates/values.ts'
import { plural } from '#lib/numbers.ts'
import { latePart } from '#lib/web/ui/late-part.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import { AudienceChoice } from '../fields/audience-choice.tsx'
import { TemplateChoice } from '../fields/template-choice.tsx'
import { CampaignInfo } from '../summary/campaign-info.tsx'
import type { Creation } from '../use-create-campaign.ts'
import { FormStep } from './form-step.tsx'
import { stepOf, type Step } from './step-fields.ts'

// Loaded late, as it is below the first view in most windows.
const LastSteps = latePart(() => import('./last-steps.tsx').then((module) => module.LastSteps))

interface CampaignStepsProps {
	creation: Creation
	/** Number of templates that can be sent; undefined until known, null when the call failed. */
	templateCount: number | null | undefined
	/** The account's delivery rate of a month; undefined until known, null without a rate or when the call failed. */
	deliveryRate: number | null | undefined
	/** True for the send button in the last step, false while it is in the bar. */
	hasSend: boolean
	onTest: () => void
}

/** Shows the form in the order in which people plan a campaign: message, people, time, check. */
export function CampaignSteps({ creation, templateCount, deliveryRate, ...last }: CampaignStepsProps) {
	const { form, template, file, audience, problems, steps } = creation
	const { estimate } = audience
	const isDone = (step: Step) => !problems.some(({ field }) => stepOf(field) === step)
	const isReached = (estimate?.recipients ?? 0) > 0
	return (
		<>
			<FormStep steps={steps} step="message" number={1} done={isDone('message')} line={messageLine(creation)}>
				<CampaignInfo form={form} templates={templateCount} deliveryRate={deliveryRate} />
				<TemplateChoice form={form} template={template} count={templateCount} />
				{template && slotsOf(template.components).length > 0 && (
					<VariableInputs
						key={template._id}
						components={template.components}
						source={audience}
						inputProps={(path) => form.getInputProps(path)}
						onFormat={(tag, format) => form.setFieldValue('formats', { ...form.values.formats, [tag]: format })}
					/>
				)}
			</FormStep>
			<FormStep
				steps={steps}
				step="people"
				number={2}
				done={isDone('people') && isReached}
				line={
					<>
						<UserText text={audience.name ?? 'Not chosen yet'} />
						{audience.name && estimate && ` · ${plural(estimate.recipients, 'person gets it', 'people get it')}`}
					</>
				}
			>
				<AudienceChoice form={form} audience={file} />
			</FormStep>
			<LastSteps creation={creation} isDone={isDone} {...last} />
		</>
	)
}

function messageLine({ form, template, problems }: Creation) {
	const missing = problems.filter(({ field }) => field.startsWith('variables.')).length
	return (
		<>
			<UserText text={form.values.name.trim() || 'No name yet'} />
			{` · ${template ? template.name : 'no template yet'}`}
			{missing > 0 && <span className="faulty"> · {plural(missing, 'variable')} to fill in</span>}
		</>
	)
}
