import { Box, Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { draftOf } from '#lib/web/drafts/draft-store.ts'
import { PreviewPane } from '#lib/web/ui/preview-pane.tsx'
import { CampaignInfo } from '../summary/campaign-info.tsx'
import { usePrefetchedTemplates } from '../use-templates.ts'
import { FormStep } from './form-step.tsx'
import { COST_HINT, QUIET_SEND, STEP_HINTS, STEPS } from './steps.ts'
import styles from '../create-campaign.module.css'

/** The name of the draft of a form that opened empty. */
export const NEW_DRAFT = 'campaign:new'

const nothing = () => {}
const CLOSED = { current: 'message', isPassed: () => false, next: nothing, open: nothing, show: nothing } as const

/** Shows an empty form until the code of `CampaignForms` has loaded; nothing for a form that opens with a choice or a draft. */
export function FirstStep() {
	return location.search === '' && <EmptyForm />
}

function EmptyForm() {
	const [isDraft] = useState(() => draftOf(NEW_DRAFT).read() !== null)
	usePrefetchedTemplates()
	if (isDraft) return null
	return (
		<Box className="columns" __vars={{ '--columns-aside': '340px' }}>
			<form className="stack">
				{STEPS.map((step) => (
					<FormStep key={step} steps={CLOSED} step={step} done={false} line={STEP_HINTS[step]}>
						<CampaignInfo
							inputProps={(path) => ({ 'data-path': path })}
							contacts={undefined}
							templates={undefined}
							deliveryRate={undefined}
						/>
						<WaitingTemplate />
					</FormStep>
				))}
			</form>
			<PreviewPane
				facts={<p className={`quiet ${styles.cost}`}>{COST_HINT}</p>}
				action={
					<Button size="md" {...QUIET_SEND}>
						Send Campaign
					</Button>
				}
			>
				{null}
			</PreviewPane>
		</Box>
	)
}

/** Shows the input of the template until the list has loaded. */
export function WaitingTemplate() {
	return <TextInput label="Template" placeholder="Loading..." required disabled />
}
