import { useQuery } from '@tanstack/react-query'
import { useMay } from '#features/auth/web/parts.tsx'
import { pricing, type PresentPricesFields } from '#features/pricing/contract.ts'
import { marketOf } from '#features/pricing/markets.ts'
import { wallet } from '#features/wallet/contract.ts'
import { formatRupees } from '#lib/money.ts'
import { query } from '#lib/web/query.ts'
import styles from './composer.module.css'

/** Renders the wallet's balance and the price of a reply to this customer; nothing for agents, and while replies are free. */
export function ReplyPrice({ number }: { number: string }) {
	const seesMoney = useMay(wallet.balance.access)
	const prices = useQuery({ ...query(pricing.mineByMarket), enabled: seesMoney }).data
	const price = prices ? replyPrice(prices, number) : 0
	const balance = useQuery({ ...query(wallet.balance), enabled: price > 0 }).data?.walletBalance
	if (price === 0 || balance === undefined) return null
	return (
		<p className={`small secondary ${styles.price}`}>
			Wallet: <span className="figures">{formatRupees(balance)}</span>
			<br />
			<span className="figures">{formatRupees(price)}</span> each beyond WhatsApp’s free 1,000 a month
		</p>
	)
}

/** Returns the price of a reply in rupees. A market without a price of its own costs the home price, as the server charges. */
function replyPrice({ servicePrice, markets }: PresentPricesFields, number: string): number {
	const market = marketOf(number)
	return markets.find((one) => one.market === market)?.service.price ?? servicePrice
}
