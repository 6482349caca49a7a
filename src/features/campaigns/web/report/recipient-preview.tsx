import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { sampleMessage } from '#features/audiences/web/sample-message.ts'
import type { CampaignDetail } from '#features/campaigns/contract.ts'
import { campaignReports } from '#features/campaigns/report-contract.ts'
import type { TemplateRow } from '#features/templates/contract.ts'
import { TemplatePreview } from '#features/templates/web/parts.tsx'
import { displayNumber } from '#lib/phone/phone.ts'
import { query } from '#lib/web/query.ts'
import { MissingPart } from '#lib/web/ui/feedback/load-error.tsx'
import { Steps } from '#lib/web/ui/layout/steps.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'

interface RecipientPreviewProps {
	campaign: CampaignDetail
	/** The stored template, which has the files of its header and cards. */
	template: Pick<TemplateRow, '_id' | 'mediaUrl' | 'cardMediaUrls'> | undefined
}

/** Renders the message as some of its recipients got it, one at a time. Without recipients, shows the names of the values. */
export function RecipientPreview({ campaign: { _id, components, variables }, template }: RecipientPreviewProps) {
	const reading = useQuery(query(campaignReports.samples, { params: { id: _id } }))
	const [at, setAt] = useState(0)
	if (reading.isPending) return <Skeleton height={360} radius="lg" />
	const samples = reading.data?.samples ?? []
	const sample = samples[at]
	const values = sample?.variables ?? variables
	return (
		<>
			<MissingPart message="The recipients of the preview could not be loaded." readings={[reading]} />
			{sample && (
				<Steps what="recipient" at={at} count={samples.length} onStep={setAt}>
					Preview for <UserText text={sample.name ?? displayNumber(sample.number)} />
				</Steps>
			)}
			<TemplatePreview components={sampleMessage(components, values, undefined)} template={template} />
		</>
	)
}
