import { useEffect } from 'react'
import { useSearchParams } from '#lib/web/router/hooks.ts'
import { lateForm } from '#lib/web/ui/late-form.tsx'
import { PageHeader } from '#lib/web/ui/layout/page-header.tsx'
import type { OwnFigures } from './campaign-preview.tsx'
import { FirstStep, NEW_DRAFT } from './steps/first-step.tsx'

const load = () => import('./campaign-forms.tsx').then((module) => module.CampaignForms)
const CampaignForms = lateForm(load, FirstStep, NEW_DRAFT)

/** Shows the first step of an empty form, and the whole form, or that of an earlier campaign, once its code has loaded. */
export function CreateCampaign({ figures }: { figures: OwnFigures }) {
	const [search] = useSearchParams()
	useEffect(() => CampaignForms.preload(), [])
	const [title, hint] = search.has('edit')
		? ['Edit Campaign', 'It has not started yet. You can change what it says and when it starts.']
		: ['Create Campaign', 'Send an approved template to many contacts.']
	return (
		<>
			<PageHeader title={title} hint={hint} />
			<CampaignForms figures={figures} />
		</>
	)
}
