import { slotsOf } from '#features/templates/values.ts'
import { latePart } from '#lib/web/ui/late-part.tsx'
import { AudienceChoice } from './fields/audience-choice.tsx'
import { TemplateChoice } from './fields/template-choice.tsx'
import { CampaignInfo } from './summary/campaign-info.tsx'
import type { useCreateCampaign } from './use-create-campaign.ts'

// Loaded late, as it is used once a template is chosen.
const VariablesSection = latePart(() =>
	import('./fields/variables-section.tsx').then((module) => module.VariablesSection),
)

// Loaded late, as it is below the first view in any window.
const LastSections = latePart(() => import('./last-sections.tsx').then((module) => module.LastSections))

interface CampaignSectionsProps {
	creation: ReturnType<typeof useCreateCampaign>
	/** Number of templates that can be sent; undefined until known, null when that failed. */
	templateCount: number | null | undefined
	/** The account's delivery rate of a month; undefined until known, null without one or when that failed. */
	deliveryRate: number | null | undefined
	onTest: () => void
}

/** Shows the form in the order in which people plan a campaign: template, audience, values, time. */
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
