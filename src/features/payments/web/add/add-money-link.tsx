import { Anchor } from '@mantine/core'
import { openAddMoney } from './add-money.ts'

export function AddMoneyLink() {
	return (
		<Anchor component="button" type="button" inherit underline="always" onClick={() => openAddMoney()}>
			Add money
		</Anchor>
	)
}
