import { Checkbox } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import { slotsOf } from '#features/templates/values.ts'
import { latePart } from '#lib/web/ui/late-part.tsx'
import { sampleMessage } from '../sample-message.ts'
import { AudienceChoice } from './fields/audience-choice.tsx'
import { ScheduleSection } from './fields/schedule-choice.tsx'
import { TemplateChoice } from './fields/template-choice.tsx'
import { shownProblems } from './problems.ts'
import { CampaignInfo } from './summary/campaign-info.tsx'
import { CampaignSummary } from './summary/campaign-summary.tsx'
import { LastLook } from './summary/last-look.tsx'
import { refuse, type useCreateCampaign } from './use-create-campaign.ts'

// Of use once a template is chosen.
const VariablesSection = latePart(() =>
	import('./fields/variables-section.tsx').then((module) => module.VariablesSection),
)

interface CampaignSectionsProps {
	creation: ReturnType<typeof useCreateCampaign>
	/** How many templates can be sent; undefined until known, null when that failed. */
	templateCount: number | null | undefined
	/** The account's own, of a month. */
	deliveryRate: number | null | undefined
	onTest: () => void
}

/** The form in the order in which a campaign is thought of: with which message, to whom, what it says to each, and when. */
export function CampaignSections({ creation, templateCount, deliveryRate, onTest }: CampaignSectionsProps) {
	const { form, template, file, audience, problems } = creation
	const { estimate, reading } = audience
	const fields = form.values
	const templateProblem = problems.find(({ field }) => field === 'templateId')
	const valueProblem = problems.find(({ field }) => field.startsWith('variables.'))
	const messageProblem = templateProblem ?? valueProblem
	const hasVariables = template !== undefined && slotsOf(template.components).length > 0
	const looks = audience.recipients.map((recipient) => ({
		recipient,
		components: sampleMessage(template?.components ?? [], fields.variables, recipient),
	}))
	return (
		<>
			<CampaignInfo form={form} templates={templateCount} deliveryRate={deliveryRate} />
			<TemplateChoice form={form} template={template} isReady={!templateProblem} count={templateCount} />
			<AudienceChoice form={form} audience={file} />
			{hasVariables && (
				<VariablesSection
					key={template._id}
					number={4}
					components={template.components}
					source={audience}
					isReady={!valueProblem}
					inputProps={(path) => form.getInputProps(path)}
					onFormat={(tag, format) => form.setFieldValue('formats', { ...fields.formats, [tag]: format })}
				/>
			)}
			<ScheduleSection number={hasVariables ? 5 : 4} timing={fields} inputProps={(field) => form.getInputProps(field)}>
				{template?.category === 'MARKETING' && (
					<SecondTry inputProps={form.getInputProps('retryHeldBack', { type: 'checkbox' })} />
				)}
			</ScheduleSection>
			<CampaignSummary
				number={hasVariables ? 6 : 5}
				look={template && looks.length > 0 && <LastLook template={template} looks={looks} />}
				{...{ fields, estimate, reading }}
				chosen={{ template: template?.name, audience: audience.name }}
				counts={audience.counts}
				problems={shownProblems(estimate?.problems ?? [], fields, !messageProblem)}
				isFilledIn={problems.length === 0}
				shortage={creation.shortage}
				busy={creation.busy}
				part={creation.part}
				isReading={file.isReading}
				onTest={() => (messageProblem ? refuse(form, messageProblem) : onTest())}
			/>
		</>
	)
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
