import { formatRupees } from '#lib/money.ts'

interface MoneyProps {
	/** In rupees, as they are on the wire. */
	rupees: number
}

export function Money({ rupees }: MoneyProps) {
	return <span className="figures">{formatRupees(rupees)}</span>
}
