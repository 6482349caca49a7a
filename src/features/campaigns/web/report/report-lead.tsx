import { Box, Button, Group } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconMessageForward } from '@tabler/icons-react'
import { resultText } from '#features/campaigns/rules.ts'
import { latePart } from '#lib/web/ui/late-part.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { ExportMessages } from './actions/export-messages.tsx'
import { RetryFailed } from './actions/retry-failed.tsx'
import type { Report } from './report.ts'

// The code of segments is not needed before the question opens.
const MessageUnread = latePart(() => import('./actions/message-unread.tsx').then((module) => module.MessageUnread))

/** Renders the result of a campaign in one sentence, with the next actions; nothing before its start. */
export function ReportLead({ report: { campaign, failures, statusCounts } }: { report: Report }) {
	const { _id: id, name, startedAt, messagesRemovedAt, isTest, totalCount } = campaign
	const [opened, asking] = useDisclosure(false)
	if (startedAt === null || totalCount === 0) return null
	const isRetryable = failures.some(({ isWorthRetrying }) => isWorthRetrying)
	return (
		<Card>
			<Group gap="12px 24px" justify="space-between">
				<Box component="p" className="whole" fz={16} lh="24px" fw={600} flex="1 1 320px">
					{resultText(campaign)}.
				</Box>
				{messagesRemovedAt === null && (
					<Group gap={8}>
						{isRetryable && <RetryFailed id={id} name={name} />}
						{!isTest && statusCounts.delivered > 0 && (
							<Button
								variant="default"
								h="auto"
								mih="var(--app-control)"
								maw="100%"
								styles={{ label: { whiteSpace: 'normal' } }}
								leftSection={<IconMessageForward size={16} aria-hidden />}
								onClick={asking.open}
							>
								Message those who did not read
							</Button>
						)}
						<ExportMessages id={id} />
					</Group>
				)}
			</Group>
			<MessageUnread campaign={campaign} people={statusCounts.delivered} dialog={{ opened, close: asking.close }} />
		</Card>
	)
}
