import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import type { Recipient } from '#features/audiences/values.ts'
import { sampleMessage } from '#features/audiences/web/sample-message.ts'
import type { FileMatch } from '#features/header-files/match-contract.ts'
import { useOwnFile } from '#features/header-files/web/own-file.ts'
import type { TemplateRow } from '#features/templates/contract.ts'
import { slotLabel, slotsOf } from '#features/templates/values.ts'
import { TemplatePreview } from '#features/templates/web/parts.tsx'
import { formatCount, percent } from '#lib/numbers.ts'
import { displayNumber } from '#lib/phone/phone.ts'
import { Steps } from '#lib/web/ui/layout/steps.tsx'
import { Facts } from '#lib/web/ui/value/facts.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import type { CampaignFields } from './fields/campaign-fields.ts'
import styles from './create-campaign.module.css'

interface OwnRates {
	deliveryRate: number | null
	readRate: number | null
}

/** Query of the account's rates in the current month. `app` passes it on from the feature dashboards. */
export type OwnFigures = UseQueryResult<{ month: OwnRates }>

interface CampaignPreviewProps {
	fields: CampaignFields
	template: TemplateRow | undefined
	/** The first recipients of the audience, whose values are shown one at a time. */
	recipients: readonly Recipient[]
	/** Number of people whom the campaign would reach; undefined until known, null when the call failed. */
	reach: number | null | undefined
	own: OwnRates | undefined
	/** The files matched with the people; null without header files, undefined until known. */
	match: FileMatch | null | undefined
}

const NOTHING_YET = [{ type: 'BODY', text: 'Choose a template to see your message here.' }]

/** Shows the message on a phone, as a recipient would get it, with arrows to the next one. */
export function CampaignPreview({ fields, template, recipients, reach, own, match }: CampaignPreviewProps) {
	const [chosen, setChosen] = useState(0)
	const position = Math.min(chosen, Math.max(recipients.length - 1, 0))
	const recipient = recipients[position]
	const file = useOwnFile({ set: fields.headerFiles?.set, match, number: recipient?.number ?? '' })
	return (
		<>
			{template && recipient && (
				<Steps what="person" at={position} count={recipients.length} onStep={setChosen}>
					Preview for <UserText text={nameOf(recipient)} />
				</Steps>
			)}
			<TemplatePreview
				components={template ? messageTo(template, fields, recipient) : NOTHING_YET}
				{...{ template, file }}
			>
				<Facts
					className={styles.outlook}
					of={{
						'Estimated reach': reach === undefined ? '…' : reach === null ? '-' : formatCount(reach),
						'Expected delivery': <Rate usual="~95%" own={own?.deliveryRate} />,
						'Read rate': <Rate usual="~80%" own={own?.readRate} />,
					}}
				/>
			</TemplatePreview>
		</>
	)
}

/** Returns the message to a recipient, with the label of a variable that is still empty. */
function messageTo({ components }: TemplateRow, { variables }: CampaignFields, recipient: Recipient | undefined) {
	const shown: Record<string, string> = { ...variables }
	for (const slot of slotsOf(components))
		if (!shown[slot.key]?.trim()) shown[slot.key] = `‹${slotLabel(slot, components)}›`
	return sampleMessage(components, shown, recipient)
}

function nameOf({ firstName, lastName, number }: Recipient): string {
	return [firstName, lastName].filter(Boolean).join(' ') || displayNumber((number ?? '').slice(1))
}

function Rate({ usual, own }: { usual: string; own: number | null | undefined }) {
	return (
		<>
			{typeof own === 'number' && <small>yours {percent(own)}</small>} {usual}
		</>
	)
}
