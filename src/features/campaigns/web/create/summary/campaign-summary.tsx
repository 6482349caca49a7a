import { Anchor, Button, Group } from '@mantine/core'
import { IconDeviceMobileMessage, IconSend } from '@tabler/icons-react'
import type { CampaignProblem } from '#features/campaigns/preflight-contract.ts'
import { contactPaths } from '#features/contacts/paths.ts'
import { MissingMoney, type Shortage } from '#features/payments/web/missing-money.tsx'
import { templatePaths } from '#features/templates/paths.ts'
import { Link } from '#lib/web/router/link.tsx'
import { Notice } from '#lib/web/ui/feedback/notice.tsx'
import { SubmitButton } from '#lib/web/ui/form/form-buttons.tsx'
import { type SummaryFacts, SummaryLines } from './summary-lines.tsx'
import styles from '../create-campaign.module.css'

interface CampaignSummaryProps extends SummaryFacts {
	problems: readonly CampaignProblem[]
	shortage: Shortage | null
	busy: boolean
	/** Text of the send button while busy. */
	busyText: string
	/** False while the send button is in the bar of a narrow window. */
	hasSend: boolean
	onTest: () => void
}

/** Shows audience, time and cost above the buttons that send. */
export function CampaignSummary(props: CampaignSummaryProps) {
	const { problems, shortage, busy, busyText, hasSend, onTest, ...facts } = props
	return (
		<>
			<SummaryLines {...facts} />
			<ProblemList
				problems={problems}
				shortage={shortage}
				isFile={facts.fields.audienceType === 'file'}
				hasFile={facts.leftOut !== undefined}
			/>
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
				{hasSend && (
					<SubmitButton size="md" leftSection={<IconSend size={18} aria-hidden />} busyText={busyText}>
						Send Campaign
					</SubmitButton>
				)}
			</Group>
		</>
	)
}

/** The pages on which problems are solved. Other problems are solved in the form, or by the administrator. */
const REMEDIES: Partial<Record<CampaignProblem['kind'], { to: string; label: string }>> = {
	template: { to: templatePaths.list, label: 'Your templates' },
	audience: { to: contactPaths.upload, label: 'Upload contacts' },
}

interface ProblemListProps {
	problems: readonly CampaignProblem[]
	shortage: Shortage | null
	/** True for a campaign to a file, which needs no contacts. */
	isFile: boolean
	/** True with a chosen file, which a draft does not contain. */
	hasFile: boolean
}

const FILE_IS_LOST = 'Your campaign is kept as a draft, but the file has to be chosen again afterwards.'

/** Shows the problems of the campaign above the button that sends it. */
function ProblemList({ problems, shortage, isFile, hasFile }: ProblemListProps) {
	const sorted = problems.toSorted((a, b) => Number(b.isBlocking) - Number(a.isBlocking))
	return (
		<div id="problems" className={`stack ${styles.problems}`} tabIndex={-1} aria-live="polite">
			<MissingMoney shortage={shortage} warning={hasFile && FILE_IS_LOST} />
			{sorted.map(({ kind, message, isBlocking }) => (
				<Notice key={`${kind}:${message}`} tone={isBlocking ? 'error' : 'warn'}>
					<p>
						{message} {!(isFile && kind === 'audience') && <Remedy kind={kind} />}
					</p>
				</Notice>
			))}
		</div>
	)
}

function Remedy({ kind }: Pick<CampaignProblem, 'kind'>) {
	const remedy = REMEDIES[kind]
	if (!remedy) return null
	return (
		<Anchor component={Link} to={remedy.to} inherit underline="always">
			{remedy.label}
		</Anchor>
	)
}
