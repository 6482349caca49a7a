import { formatRupees } from '#lib/money.ts'

interface MoneyProps {
	/** Amount in rupees, as in the API. */
	rupees: number
}

export function Money({ rupees }: MoneyProps) {
	return <span className="figures">{formatRupees(rupees)}</span>
}
