import { Textarea, TextInput } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import { formatCount, percent } from '#lib/numbers.ts'
import { limited } from '#lib/web/limited.ts'
import styles from '../create-campaign.module.css'

interface CampaignInfoProps {
	inputProps: (path: 'name' | 'description') => Partial<GetInputPropsReturnType> & { 'data-path'?: string }
	/** Numbers of contacts and of templates that can be sent; undefined until known, null when the call failed. */
	contacts: number | null | undefined
	templates: number | null | undefined
	/** The account's delivery rate of a month; undefined until known, null without a rate or when the call failed. */
	deliveryRate: number | null | undefined
}

/** Shows name and description, with the account's figures in one line. */
export function CampaignInfo({ inputProps, contacts, templates, deliveryRate }: CampaignInfoProps) {
	return (
		<>
			<div className="abreast">
				<TextInput
					label="Campaign name"
					placeholder="Diwali offer, Pune"
					required
					{...limited(200, inputProps('name'))}
				/>
				<Textarea
					label="Description"
					placeholder="Optional, only you see it"
					minRows={1}
					{...limited(1000, inputProps('description'))}
				/>
			</div>
			<ul className={`bare quiet ${styles.figures}`}>
				<Figure value={contacts} label="total contacts" />
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
