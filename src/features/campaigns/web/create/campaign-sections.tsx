import { slotsOf } from '#features/templates/values.ts'
import { latePart } from '#lib/web/ui/late-part.tsx'
import { AudienceChoice } from './fields/audience-choice.tsx'
import { TemplateChoice } from './fields/template-choice.tsx'
import { CampaignInfo } from './summary/campaign-info.tsx'
import type { useCreateCampaign } from './use-create-campaign.ts'

// Of use once a template is chosen.
const VariablesSection = latePart(() =>
	import('./fields/variables-section.tsx').then((module) => module.VariablesSection),
)

// Below what any window shows at first.
const LastSections = latePart(() => import('./last-sections.tsx').then((module) => module.LastSections))

interface CampaignSectionsProps {
	creation: ReturnType<typeof useCreateCampaign>
	/** How many templates can be sent; undefined until known, null when that failed. */
	templateCount: number | null | undefined
	/** The account's own, of a month; undefined until known, null when there is none or that failed. */
	deliveryRate: number | null | undefined
	onTest: () => void
}

/** The form in the order in which a campaign is thought of: with which message, to whom, what it says to each, and when. */
export function CampaignSections({ creation, templateCount, deliveryRate, onTest }: CampaignSectionsProps) {
	const { form, template, file, audience, problems } = creation
	const fields = form.values
	const templateProblem = problems.find(({ field }) => field === 'templateId')
	const valueProblem = problems.find(({ field }) => field.startsWith('variables.'))
	const hasVariables = template !== undefined && slotsOf(template.components).length > 0
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
			<LastSections
				creation={creation}
				number={hasVariables ? 5 : 4}
				messageProblem={templateProblem ?? valueProblem}
				onTest={onTest}
			/>
		</>
	)
}
