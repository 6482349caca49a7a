import { Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { formatCount, percent } from '#lib/numbers.ts'
import { limited } from '#lib/web/limited.ts'
import { FormSection } from '#lib/web/ui/form-section.tsx'
import type { CampaignFields } from '../fields/campaign-fields.ts'
import { useFirstContacts } from '../use-estimate.ts'
import styles from '../create-campaign.module.css'

interface CampaignInfoProps {
	form: UseFormReturnType<CampaignFields>
	/** Number of templates that can be sent; undefined until known, null when that failed. */
	templates: number | null | undefined
	/** The account's delivery rate of a month; undefined until known, null without one or when that failed. */
	deliveryRate: number | null | undefined
}

export function CampaignInfo({ form, templates, deliveryRate }: CampaignInfoProps) {
	const { data: first, isError } = useFirstContacts('')
	return (
		<FormSection number={1} title="Campaign information" done={form.values.name.trim() !== ''}>
			<TextInput
				label="Campaign name"
				placeholder="Diwali offer, Pune"
				required
				{...limited(200, form.getInputProps('name'))}
			/>
			<Textarea
				label="Description"
				placeholder="Optional, only you see it"
				minRows={2}
				{...limited(1000, form.getInputProps('description'))}
			/>
			<ul className={`bare ${styles.figures}`}>
				<Figure value={first?.total ?? (isError ? null : undefined)} label="total contacts" />
				<Figure value={templates} label="templates available" />
				<Figure
					value="95%"
					label="avg delivery"
					// Keeps its height while the figure is unknown, so that nothing below moves.
					hint={
						deliveryRate === null
							? undefined
							: `Yours in 30 days: ${deliveryRate === undefined ? '…' : percent(deliveryRate)}`
					}
				/>
			</ul>
		</FormSection>
	)
}

function Figure({
	value,
	label,
	hint,
}: {
	value: number | string | null | undefined
	label: string
	hint?: string | undefined
}) {
	return (
		<li className="well">
			<b className="figures">
				{typeof value === 'number' ? formatCount(value) : value === null ? '-' : (value ?? '…')}
			</b>{' '}
			<span>{label}</span>
			{hint && <small>{hint}</small>}
		</li>
	)
}
