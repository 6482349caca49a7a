import { missingRupees, type Shortage } from '#features/payments/web/missing-money.tsx'
import { formatRupees } from '#lib/money.ts'
import { plural } from '#lib/numbers.ts'
import { COST_HINT } from '../steps/steps.ts'
import type { OrderEstimate } from '../use-estimate.ts'
import styles from '../create-campaign.module.css'

interface CostLineProps {
	/** False while no template is chosen, which has the price. */
	hasTemplate: boolean
	/** Undefined until known. */
	estimate: OrderEstimate | undefined
	missing: Shortage | null
}

/** Shows the cost and the number of messages, which stay in view while the form is filled in. */
export function CostLine({ hasTemplate, estimate, missing }: CostLineProps) {
	if (!hasTemplate || !estimate)
		return <p className={`quiet ${styles.cost}`}>{hasTemplate ? 'Counting the cost...' : COST_HINT}</p>
	return (
		<p className={styles.cost} role="group" aria-label="Cost of the campaign">
			<b className="figures">{formatRupees(estimate.cost)}</b>{' '}
			<span className={missing ? 'fine faulty' : 'fine'}>
				{missing ? `${formatRupees(missingRupees(missing))} missing` : plural(estimate.recipients, 'message')}
			</span>
		</p>
	)
}
