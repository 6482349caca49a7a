import { Button, Group } from '@mantine/core'
import { IconDeviceMobileMessage, IconSend } from '@tabler/icons-react'
import type { CampaignProblem } from '#features/campaigns/preflight-contract.ts'
import { percent } from '#lib/numbers.ts'
import { FormSection } from '#lib/web/ui/form-section.tsx'
import { SubmitButton } from '#lib/web/ui/form/form-buttons.tsx'
import { shortageOf, type Shortage } from '../problems.ts'
import { ProblemList } from './problem-list.tsx'
import { SummaryLines, type SummaryFacts } from './summary-lines.tsx'
import styles from '../create-campaign.module.css'

interface CampaignSummaryProps extends SummaryFacts {
	problems: readonly CampaignProblem[]
	/** The shortage that the server reported, which may be newer than the estimate. */
	shortage: Shortage | null
	busy: boolean
	/** How much of the file has been sent, from 0 to 1; null without one. */
	part: number | null
	/** The file is being read, which the button waits for. */
	isReading: boolean
	onTest: () => void
}

export function CampaignSummary({ problems, shortage, busy, part, isReading, onTest, ...facts }: CampaignSummaryProps) {
	const { estimate, fields } = facts
	const missing = shortage ?? shortageOf(estimate)
	const isClear = missing === null && !problems.some(({ isBlocking }) => isBlocking)
	const isUploading = part !== null && part < 1
	const busyText = isUploading ? `Uploading ${percent(part)}` : isReading ? 'Reading the file...' : 'Sending...'
	return (
		<FormSection number={5} title="Summary" done={estimate !== undefined && estimate.cost > 0 && isClear}>
			<SummaryLines {...facts} />
			<ProblemList problems={problems} shortage={missing} isFile={fields.audienceType === 'file'} />
			<Group className={styles.send} gap={8} align="stretch" justify="flex-end">
				<Button
					variant="default"
					size="md"
					leftSection={<IconDeviceMobileMessage size={18} aria-hidden />}
					onClick={onTest}
					disabled={busy}
				>
					Send a test
				</Button>
				<SubmitButton size="md" leftSection={<IconSend size={18} aria-hidden />} busyText={busyText}>
					Send Campaign
				</SubmitButton>
			</Group>
		</FormSection>
	)
}
