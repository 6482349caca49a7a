import type { AdminStats } from '#features/dashboards/admin-contract.ts'
import { pricingPaths } from '#features/pricing/paths.ts'
import { monthName } from '#lib/dates.ts'
import { formatRupees } from '#lib/money.ts'
import { Link } from '#lib/web/router/link.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { StatTile } from '#lib/web/ui/layout/stat-tile.tsx'
import { chargeText, marginWithGstText } from '../margin-words.ts'
import styles from './admin-dashboard.module.css'

/** Renders the current month's revenue, WhatsApp's charge and the margin; skeletons while they load. */
export function MonthMargin({ margin }: { margin: AdminStats['margin'] | undefined }) {
	return (
		<Card
			title={margin ? `Margin in ${monthName(margin.month)}` : 'Margin'}
			actions={<Link to={pricingPaths.margins}>By account</Link>}
		>
			<div className={styles.tiles}>
				<StatTile label="Revenue" value={margin && formatRupees(margin.revenue)} hint="After refunds" />
				<StatTile
					label="WhatsApp’s charge"
					value={margin && formatRupees(margin.cost)}
					hint={margin && chargeText(margin)}
					tone="warn"
				/>
				<StatTile
					label="Margin"
					value={margin && formatRupees(margin.margin)}
					hint={margin && marginWithGstText(margin)}
					tone={margin && margin.margin < 0 ? 'error' : 'ok'}
				/>
			</div>
		</Card>
	)
}
