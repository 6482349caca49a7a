import { Anchor, Button, Group } from '@mantine/core'
import { IconDeviceMobileMessage, IconSend } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { CampaignProblem } from '#features/campaigns/preflight-contract.ts'
import { contactPaths } from '#features/contacts/paths.ts'
import { statementPaths } from '#features/statements/paths.ts'
import { templatePaths } from '#features/templates/paths.ts'
import { formatRupees } from '#lib/money.ts'
import { percent } from '#lib/numbers.ts'
import { Notice } from '#lib/web/ui/feedback/notice.tsx'
import { FormSection } from '#lib/web/ui/form-section.tsx'
import { SubmitButton } from '#lib/web/ui/form/form-buttons.tsx'
import { type Shortage, shortageOf } from '../problems.ts'
import { type SummaryFacts, SummaryLines } from './summary-lines.tsx'
import styles from '../create-campaign.module.css'

interface CampaignSummaryProps extends SummaryFacts {
	number: number
	/** The message as some recipients get it. */
	look: ReactNode
	problems: readonly CampaignProblem[]
	/** True when the sections before are complete. */
	isFilledIn: boolean
	/** The shortage that the server reported, which may be newer than the estimate. */
	shortage: Shortage | null
	busy: boolean
	/** Share of the file that has been sent, from 0 to 1; null without one. */
	part: number | null
	/** True while the file is being read, which the button waits for. */
	isReading: boolean
	onTest: () => void
}

export function CampaignSummary(props: CampaignSummaryProps) {
	const { number, look, problems, isFilledIn, shortage, busy, part, isReading, onTest, ...facts } = props
	const { estimate, fields } = facts
	const missing = shortage ?? shortageOf(estimate)
	const isClear = missing === null && !problems.some(({ isBlocking }) => isBlocking)
	const isReady = isFilledIn && isClear && (estimate?.recipients ?? 0) > 0
	const isUploading = part !== null && part < 1
	const busyText = isUploading ? `Uploading ${percent(part)}` : isReading ? 'Reading the file...' : 'Sending...'
	return (
		<FormSection number={number} title="Summary" done={isReady}>
			{look}
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

/** The pages on which problems are solved. Other problems are solved in the form, or by the administrator. */
const REMEDIES: Partial<Record<CampaignProblem['kind'], { to: string; label: string }>> = {
	template: { to: templatePaths.list, label: 'Your templates' },
	audience: { to: contactPaths.upload, label: 'Upload contacts' },
	wallet: { to: statementPaths.payments, label: 'Your recharges' },
}

interface ProblemListProps {
	problems: readonly CampaignProblem[]
	shortage: Shortage | null
	/** True for a campaign to a file, which needs no contacts. */
	isFile: boolean
}

/** Shows the problems of the campaign above the button that sends it. */
function ProblemList({ problems, shortage, isFile }: ProblemListProps) {
	const sorted = problems.toSorted((a, b) => Number(b.isBlocking) - Number(a.isBlocking))
	return (
		<div id="problems" className={`stack ${styles.problems}`} tabIndex={-1} aria-live="polite">
			{shortage && <TooLittle {...shortage} />}
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

function TooLittle({ needed, available }: Shortage) {
	return (
		<Notice tone="error" title="Insufficient balance">
			<p>
				This campaign needs {formatRupees(needed)}, but the wallet has {formatRupees(available)}:{' '}
				<b>{formatRupees(needed - available)} is missing.</b> Ask your administrator for a recharge, or choose a smaller
				audience. <Remedy kind="wallet" />
			</p>
		</Notice>
	)
}
