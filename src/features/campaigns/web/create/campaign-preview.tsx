import type { UseQueryResult } from '@tanstack/react-query'
import type { Recipient } from '#features/audiences/values.ts'
import type { TemplateRow } from '#features/templates/contract.ts'
import { TemplatePreview } from '#features/templates/web/parts.tsx'
import { formatCount, percent } from '#lib/numbers.ts'
import { Facts } from '#lib/web/ui/value/facts.tsx'
import { sampleMessage } from '../sample-message.ts'
import type { CampaignFields } from './fields/campaign-fields.ts'
import styles from './create-campaign.module.css'

interface OwnRates {
	deliveryRate: number | null
	readRate: number | null
}

/** The account's figures of a month, which the app takes from its dashboard. */
export type OwnFigures = UseQueryResult<{ month: OwnRates }>

interface CampaignPreviewProps {
	fields: CampaignFields
	template: TemplateRow | undefined
	/** The recipient whose values are shown: the first of the audience. */
	recipient: Recipient | undefined
	/** Number of people whom the campaign would reach; undefined until known, null when that failed. */
	reach: number | null | undefined
	own: OwnRates | undefined
}

const NOTHING_YET = [{ type: 'BODY', text: 'Choose a template to see your message here.' }]

/** Shows the message on a phone, as the first of the audience would get it. */
export function CampaignPreview({ fields, template, recipient, reach, own }: CampaignPreviewProps) {
	const components = template ? sampleMessage(template.components, fields.variables, recipient) : NOTHING_YET
	const who = recipient?.['firstName'] ?? recipient?.['number']
	return (
		<TemplatePreview components={components} template={template}>
			<Facts
				className={styles.outlook}
				mb={8}
				of={{
					'Estimated reach': reach === undefined ? '…' : reach === null ? '-' : formatCount(reach),
					'Expected delivery': <Rate usual="~95%" own={own?.deliveryRate} />,
					'Read rate': <Rate usual="~80%" own={own?.readRate} />,
				}}
			/>
			{template && who && <p>Preview for {who}</p>}
		</TemplatePreview>
	)
}

function Rate({ usual, own }: { usual: string; own: number | null | undefined }) {
	return (
		<>
			{typeof own === 'number' && <small>yours {percent(own)}</small>} {usual}
		</>
	)
}
