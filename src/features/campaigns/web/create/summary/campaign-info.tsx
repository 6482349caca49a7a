import { Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { formatCount, percent } from '#lib/numbers.ts'
import { limited } from '#lib/web/limited.ts'
import type { CampaignFields } from '../fields/campaign-fields.ts'
import { useFirstContacts } from '../use-estimate.ts'
import styles from '../create-campaign.module.css'

interface CampaignInfoProps {
	form: UseFormReturnType<CampaignFields>
	/** Number of templates that can be sent; undefined until known, null when the call failed. */
	templates: number | null | undefined
	/** The account's delivery rate of a month; undefined until known, null without a rate or when the call failed. */
	deliveryRate: number | null | undefined
}

/** Shows name and description, with the account's figures in one line. */
export function CampaignInfo({ form, templates, deliveryRate }: CampaignInfoProps) {
	const { data: first, isError } = useFirstContacts('')
	return (
		<>
			<div className="abreast">
				<TextInput
					label="Campaign name"
					placeholder="Diwali offer, Pune"
					required
					{...limited(200, form.getInputProps('name'))}
				/>
				<Textarea
					label="Description"
					placeholder="Optional, only you see it"
					minRows={1}
					{...limited(1000, form.getInputProps('description'))}
				/>
			</div>
			<ul className={`bare quiet ${styles.figures}`}>
				<Figure value={first?.total ?? (isError ? null : undefined)} label="total contacts" />
				<Figure value={templates} label="templates available" />
				<Figure
					value="95%"
					label="avg delivery"
					hint={deliveryRate ? ` (yours ${percent(deliveryRate)})` : undefined}
				/>
			</ul>
		</>
	)
}

interface FigureProps {
	/** Undefined until known, null when it could not be loaded. */
	value: number | string | null | undefined
	label: string
	hint?: string | undefined
}

function Figure({ value, label, hint }: FigureProps) {
	return (
		<li>
			<b className="figures">
				{typeof value === 'number' ? formatCount(value) : value === null ? '-' : (value ?? '…')}
			</b>{' '}
			<span>{label}</span>
			{hint}
		</li>
	)
}
