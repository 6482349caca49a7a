import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { contacts } from '#features/contacts/contract.ts'
import { query } from '#lib/web/query.ts'
import { LeaveGuard } from '#lib/web/ui/leave-guard.tsx'
import { PageHeader } from '#lib/web/ui/page-header.tsx'
import { PreviewPane } from '#lib/web/ui/preview-pane.tsx'
import { AudienceChoice } from './audience-choice.tsx'
import { EMPTY_FIELDS, type CampaignFields } from './campaign-fields.ts'
import { CampaignInfo } from './campaign-info.tsx'
import { CampaignPreview } from './campaign-preview.tsx'
import { CampaignSummary } from './campaign-summary.tsx'
import { CreatedNotice } from './created-notice.tsx'
import { ScheduleChoice } from './schedule-choice.tsx'
import { SendQuestion } from './send-question.tsx'
import { TemplateChoice } from './template-choice.tsx'
import { useEstimate } from './use-audience.ts'
import { useCreateCampaign } from './use-create-campaign.ts'
import { useChosenTemplate, useTemplateCount } from './use-templates.ts'
import styles from './create-campaign.module.css'

export function CreateCampaign() {
	const [search] = useSearchParams()
	const form = useForm<CampaignFields>({
		initialValues: { ...EMPTY_FIELDS, templateId: search.get('template') ?? '' },
	})
	const fields = form.values
	const template = useChosenTemplate(fields.templateId)
	const templateCount = useTemplateCount()
	const groups = useQuery(query(contacts.groups, { query: { limit: 1000 } })).data?.contactGroups
	const estimate = useEstimate(fields, template)
	const { submit, confirm, dismiss, busy, question, shortage, created } = useCreateCampaign(form, template)

	return (
		<>
			<PageHeader title="Create Campaign" hint="One approved template, to many contacts at once." />
			{created && <CreatedNotice key={created._id} campaign={created} />}
			<div className={styles.columns}>
				<form
					className="stack"
					noValidate
					onSubmit={(event) => {
						event.preventDefault()
						submit()
					}}
				>
					<CampaignInfo form={form} templates={templateCount} />
					<TemplateChoice form={form} template={template} count={templateCount} />
					<AudienceChoice form={form} />
					<ScheduleChoice form={form} />
					<CampaignSummary
						fields={fields}
						chosen={{
							template: template?.name,
							audience:
								fields.audienceType === 'all'
									? 'All contacts'
									: groups?.find(({ _id }) => _id === fields.selectedGroup)?.name,
						}}
						estimate={estimate}
						shortage={shortage}
						busy={busy}
					/>
				</form>
				<PreviewPane>
					<CampaignPreview fields={fields} template={template} reach={estimate?.recipients} />
				</PreviewPane>
			</div>
			<SendQuestion estimate={question} fields={fields} onConfirm={confirm} onClose={dismiss} />
			<LeaveGuard dirty={form.isDirty()} />
		</>
	)
}
