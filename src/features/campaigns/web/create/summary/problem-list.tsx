import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import type { CampaignProblem } from '#features/campaigns/preflight-contract.ts'
import { contactPaths } from '#features/contacts/paths.ts'
import { statementPaths } from '#features/statements/paths.ts'
import { templatePaths } from '#features/templates/paths.ts'
import { formatRupees } from '#lib/money.ts'
import { Notice } from '#lib/web/ui/feedback/notice.tsx'
import type { Shortage } from '../problems.ts'
import styles from '../create-campaign.module.css'

/** Where each kind of problem is solved; the others are solved in the form itself, or by the administrator. */
const REMEDIES: Partial<Record<CampaignProblem['kind'], { to: string; label: string }>> = {
	template: { to: templatePaths.list, label: 'Your templates' },
	audience: { to: contactPaths.upload, label: 'Upload contacts' },
	wallet: { to: statementPaths.payments, label: 'Your recharges' },
}

interface ProblemListProps {
	problems: readonly CampaignProblem[]
	shortage: Shortage | null
	/** Contacts are of no use to a campaign to a file. */
	isFile: boolean
}

/** The problems of the campaign, above the button that sends it. */
export function ProblemList({ problems, shortage, isFile }: ProblemListProps) {
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
