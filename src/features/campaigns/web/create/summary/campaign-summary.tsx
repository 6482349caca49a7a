import { Anchor, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import type { CampaignProblem } from '#features/campaigns/preflight-contract.ts'
import { contactPaths } from '#features/contacts/paths.ts'
import { MissingMoney, type Shortage } from '#features/payments/web/missing-money.tsx'
import { templatePaths } from '#features/templates/paths.ts'
import { Link } from '#lib/web/router/link.tsx'
import { Notice } from '#lib/web/ui/feedback/notice.tsx'
import { type SummaryFacts, SummaryLines } from './summary-lines.tsx'
import styles from '../create-campaign.module.css'

interface CampaignSummaryProps extends SummaryFacts {
	problems: readonly CampaignProblem[]
	shortage: Shortage | null
	/** The buttons that send. */
	children: ReactNode
}

/** Shows audience, time and cost above the buttons that send. */
export function CampaignSummary({ problems, shortage, children, ...facts }: CampaignSummaryProps) {
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
				{children}
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
