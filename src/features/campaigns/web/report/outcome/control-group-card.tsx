import { Box } from '@mantine/core'
import { compareParts, CONTROL_GROUP_DAYS, type ControlGroup, type Part } from '#features/audiences/rules.ts'
import type { CampaignDetail } from '#features/campaigns/contract.ts'
import { REPLY_HOURS } from '#features/campaigns/rules.ts'
import { formatDateTime } from '#lib/dates.ts'
import { formatCount, percent, plural } from '#lib/numbers.ts'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { Facts } from '#lib/web/ui/value/facts.tsx'

interface ControlGroupCardProps {
	campaign: CampaignDetail
	group: ControlGroup
}

/** Compares the replies and clicks of the recipients with those of the control group. */
export function ControlGroupCard({ campaign, group }: ControlGroupCardProps) {
	const { people, wrote, clicked, recipientsWrote, recipientsClicked, countedAt } = group
	const isCancelled = campaign.status === 'cancelled'
	const pairOf = (outcome: string, recipients: number, held: number) => {
		const parts = [
			{ count: recipients, of: campaign.totalCount },
			{ count: held, of: people },
		] as const
		return {
			[outcome]: partText(parts[0]),
			[`${outcome} (test group)`]: (
				<Box ta="right">
					{partText(parts[1])}
					{!isCancelled && (
						<Box component="small" className="fine" display="block">
							{FINDINGS[compareParts(...parts)]}
						</Box>
					)}
				</Box>
			),
		}
	}
	const isClicked = campaign.countsClicks || clicked + recipientsClicked > 0
	return (
		<Card title="Test group" hint={`${plural(people, 'person was', 'people were')} not messaged`}>
			{countedAt === null ? (
				<p>
					Replies within {REPLY_HOURS} hours and clicks within {CONTROL_GROUP_DAYS} days are counted from the start of
					the campaign.
				</p>
			) : (
				<>
					<Facts
						of={{
							...pairOf('Replied', recipientsWrote, wrote),
							...(isClicked && pairOf('Clicked', recipientsClicked, clicked)),
						}}
					/>
					<Box component="p" className="quiet" mt={8}>
						Counted on {formatDateTime(countedAt)}. Replies count for {REPLY_HOURS} hours after the message, for the
						test group after the start.
						{isClicked && ` Clicks count for ${CONTROL_GROUP_DAYS} days after the start, on links of any campaign.`}
						{isCancelled && ' This campaign was cancelled, so the two cannot be compared.'}
					</Box>
				</>
			)}
		</Card>
	)
}

const FINDINGS = {
	'too few': 'Too few people to tell',
	more: 'The message made a difference',
	fewer: 'Fewer than in the test group, which is unlikely to be chance',
	chance: 'The difference may be chance',
}

function partText({ count, of }: Part): string {
	return `${formatCount(count)} of ${formatCount(of)} (${percent(of > 0 ? count / of : 0)})`
}
