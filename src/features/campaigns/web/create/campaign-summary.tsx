import { Alert, Anchor, Button } from '@mantine/core'
import { IconSend, IconWalletOff } from '@tabler/icons-react'
import { Link } from 'react-router'
import { walletPaths } from '#features/wallet/paths.ts'
import { formatDateTime } from '#lib/dates.ts'
import { formatRupees } from '#lib/money.ts'
import { formatCount } from '#lib/numbers.ts'
import { FormSection } from '#lib/web/ui/form-section.tsx'
import { Money } from '#lib/web/ui/money.tsx'
import { opensAt, type CampaignFields } from './campaign-fields.ts'
import { shortageOf, type Estimate, type Shortage } from './use-audience.ts'
import styles from './create-campaign.module.css'

interface CampaignSummaryProps {
	fields: CampaignFields
	/** Names of what was chosen, where something was. */
	chosen: { template: string | undefined; audience: string | undefined }
	estimate: Estimate | undefined
	/** What the server said is missing, beside what the estimate shows. */
	shortage: Shortage | null
	busy: boolean
}

export function CampaignSummary({ fields, chosen, estimate, shortage, busy }: CampaignSummaryProps) {
	const at = opensAt(fields)
	const when = fields.schedule === 'now' ? 'Now' : at ? `${formatDateTime(at)} IST` : 'Not chosen yet'
	const missing = shortage ?? shortageOf(estimate)
	return (
		<FormSection number={5} title="Summary" done={estimate !== undefined && estimate.cost > 0 && missing === null}>
			<dl className={styles.summary}>
				<Line name="Audience" value={chosen.audience ?? 'Not chosen yet'} />
				{estimate && estimate.optedOut > 0 && (
					<Line name="Opted out, left out" value={formatCount(estimate.optedOut)} />
				)}
				<Line name="Recipients" value={estimate ? formatCount(estimate.recipients) : '…'} />
				<Line name="Template" value={chosen.template ?? 'Not chosen yet'} />
				<Line name="When" value={when} />
				<Line name="Estimated cost" value={estimate && chosen.template ? <Cost estimate={estimate} /> : '-'} strong />
				<Line name="Wallet balance" value={estimate ? <Money rupees={estimate.walletBalance} /> : '…'} />
				<Line
					name="Balance after"
					value={estimate ? <Money rupees={estimate.walletBalance - estimate.cost} /> : '…'}
					isBad={missing !== null}
				/>
			</dl>
			{missing && <TooLittle {...missing} />}
			<Button
				className={styles.send}
				type="submit"
				size="md"
				leftSection={<IconSend size={18} aria-hidden />}
				disabled={busy}
				aria-busy={busy}
			>
				{busy ? 'Sending...' : 'Send Campaign'}
			</Button>
		</FormSection>
	)
}

function Cost({ estimate }: { estimate: Estimate }) {
	return (
		<>
			<Money rupees={estimate.cost} />
			<small>
				{formatCount(estimate.recipients)} × {formatRupees(estimate.price)}
			</small>
		</>
	)
}

interface LineProps {
	name: string
	value: React.ReactNode
	strong?: boolean
	isBad?: boolean
}

function Line({ name, value, strong = false, isBad = false }: LineProps) {
	return (
		<div data-strong={strong} data-bad={isBad}>
			<dt>{name}</dt>
			<dd>{value}</dd>
		</div>
	)
}

function TooLittle({ needed, available }: Shortage) {
	return (
		<Alert
			id="shortage"
			tabIndex={-1}
			color="red"
			role="alert"
			title="Insufficient balance"
			icon={<IconWalletOff size={20} aria-hidden />}
		>
			<p>
				This campaign needs {formatRupees(needed)}, but the wallet has {formatRupees(available)}:{' '}
				<b>{formatRupees(needed - available)} is missing.</b> Ask your administrator for a recharge, or choose a smaller
				audience.{' '}
				<Anchor component={Link} to={walletPaths.payments} inherit underline="always">
					Your recharges
				</Anchor>
			</p>
		</Alert>
	)
}
