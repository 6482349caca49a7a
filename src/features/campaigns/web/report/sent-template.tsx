import { useQuery } from '@tanstack/react-query'
import type { CampaignDetail } from '#features/campaigns/contract.ts'
import { campaignPath } from '#features/campaigns/paths.ts'
import { templates } from '#features/templates/contract.ts'
import { templateLabel } from '#features/templates/languages.ts'
import { formatCount } from '#lib/numbers.ts'
import { query } from '#lib/web/query.ts'
import { Link } from '#lib/web/router/link.tsx'
import { CopyButton } from '#lib/web/ui/form/copy-button.tsx'
import { FoldingCard } from '#lib/web/ui/layout/folding-card.tsx'
import { DateTime } from '#lib/web/ui/value/date-time.tsx'
import { Facts } from '#lib/web/ui/value/facts.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import { RecipientPreview } from './recipient-preview.tsx'
import styles from './campaign-detail.module.css'

/** Shows the template as it was frozen when the campaign was created, with its variables filled in. */
export function SentTemplate({ campaign }: { campaign: CampaignDetail }) {
	const { _id, template, templateId, language, createdAt, createdBy, startedAt, finishedAt, retryOf } = campaign
	// The header file is stored with the template, which may be deleted. A placeholder is then drawn.
	const params = { id: templateId ?? '' }
	const original = useQuery({ ...query(templates.get, { params }), enabled: templateId !== null }).data
	return (
		<FoldingCard title="Template">
			<Facts
				className={styles.facts}
				of={{
					Name: templateLabel({ name: template.name, language }),
					Category: template.category,
					'Retry of': retryOf && (
						<Link to={campaignPath(retryOf._id)}>
							<UserText text={retryOf.name} />
						</Link>
					),
					Route: routeText(campaign),
					'Campaign ID': (
						<>
							{_id} <CopyButton text={_id} what="the campaign ID" />
						</>
					),
					Created: <DateTime iso={createdAt} />,
					'Created by': createdBy && <UserText text={createdBy} />,
					Started: startedAt && <DateTime iso={startedAt} />,
					Finished: finishedAt && <DateTime iso={finishedAt} />,
				}}
			/>
			<RecipientPreview campaign={campaign} template={original} />
		</FoldingCard>
	)
}

/** Returns the messages that WhatsApp accepted on each route; null when its marketing service took none. */
function routeText({ routes: { marketing, ordinary } }: CampaignDetail): string | null {
	if (marketing === 0) return null
	const standard = ordinary > 0 ? `; standard, ${formatCount(ordinary)}` : ''
	return `WhatsApp’s marketing service, ${formatCount(marketing)}${standard}`
}
